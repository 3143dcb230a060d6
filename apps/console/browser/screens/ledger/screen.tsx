import type { DataOf } from "../../data/calls.ts";
import { usePreferences } from "../../data/preferences.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { FieldInput } from "../../parts/fields/field-input.tsx";
import { ranges, sinceOf } from "../../parts/fields/filter-bar.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { fieldOfMoment, momentOfField } from "../../parts/fields/moment-field.ts";
import { Money } from "../../parts/shown/money.tsx";
import { Empty, FailedPart } from "../../parts/shown/states.tsx";
import { Tabs } from "../../parts/shown/tabs.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { useLatest } from "../../parts/list/use-latest.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { useUrlState } from "../../parts/page/use-url-state.ts";
import { NameLink } from "../../parts/names/names.tsx";
import { IdLink } from "../../parts/shown/id-link.tsx";
import { AccountName } from "./account-name.tsx";
import { useAccountsOf } from "./look-up.ts";
import { balanceByCurrency } from "./sums.ts";

type Account = DataOf<"getLedgerAccount">;
type Transaction = DataOf<"getLedgerTransaction">;

export function LedgerScreen() {
  const [{ view }] = useUrlState();
  return view === "transactions" ? <Transactions /> : <Accounts />;
}

const views = { accounts: "Accounts", transactions: "Transactions" };

function Accounts() {
  return (
    <ListScreen
      title="Ledger"
      about="Every movement of money as entries of two sides that sum to nothing."
      tabs={<Tabs tabs={views} current="accounts" />}
      operationId="listLedgerAccounts"
      query={() => ({})}
      idOf={({ id }) => id}
      columns={[
        { label: "Name", slot: "title", cell: (account) => <AccountName account={account} /> },
        {
          label: "Kind",
          slot: "meta",
          cell: ({ kind, purpose }) => <span className="faint">{[kind, purpose].filter(Boolean).join(" · ")}</span>,
        },
        {
          label: "Balance",
          slot: "end",
          isNumber: true,
          cell: ({ balance, currency }) =>
            balance === null ? (
              <span className="faint">{currency}</span>
            ) : (
              <Money amount={balance} currency={currency} />
            ),
        },
      ]}
      empty={<Empty title="No ledger accounts yet">They come with the first wallet.</Empty>}
      pane={(id) => <AccountPane id={id} />}
    />
  );
}

function AccountPane({ id }: { id: string }) {
  const [{ at }, setState] = useUrlState();
  const { zone } = usePreferences();
  const field = fieldOfMoment(at, zone);
  return (
    <>
      <Detail
        call={{
          operationId: "getLedgerAccount",
          path: { ledgerAccountId: id },
          query: { at: momentOfField(field, zone) },
        }}
      >
        {(account) => <AccountFacts account={account} />}
      </Detail>
      <FieldInput
        field={{ name: "at", label: "As of", kind: "moment", hint: "A minute back at least. Empty: now." }}
        value={field}
        fault={null}
        onChange={(value) => setState({ at: momentOfField(value, zone) }, { replace: true })}
      />
      <AccountEntries id={id} />
    </>
  );
}

function AccountFacts({ account }: { account: Account }) {
  const { id, currency, kind, purpose, walletId, balance, mayBeNegative, createdAt } = account;
  return (
    <>
      <h2>
        <AccountName account={account} />
      </h2>
      <Facts
        rows={[
          [
            "Balance",
            balance === null ? "not sealed yet" : <Money key="balance" amount={balance} currency={currency} />,
          ],
          ["Kind", [kind, purpose].filter(Boolean).join(", ")],
          ["Below nothing", mayBeNegative ? "may be" : "never"],
          ["Wallet", walletId === null ? null : <NameLink key="wallet" noun="wallet" id={walletId} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["Created", <Time key="created" at={createdAt} />],
        ]}
      />
    </>
  );
}

function AccountEntries({ id }: { id: string }) {
  const currency = useCall({ operationId: "getLedgerAccount", path: { ledgerAccountId: id } }).data?.data.currency;
  const entries = useLatest({ operationId: "listLedgerEntries", query: { ledgerAccountId: id } }, 20);
  return (
    <section className="below">
      <h3>Latest entries</h3>
      <FailedPart of={entries} />
      <ul className="lines">
        {currency &&
          entries.data?.data.map(({ ledgerTransactionId, kind, direction, amount, createdAt }) => (
            <li key={`${ledgerTransactionId} ${direction}`}>
              <IdLink to="/ledger" open={ledgerTransactionId} search={{ view: "transactions" }} />
              <span className="faint">
                {kind} · {direction} · <Time at={createdAt} />
              </span>
              <Money amount={amount} currency={currency} />
            </li>
          ))}
      </ul>
      {entries.more}
    </section>
  );
}

const kinds = ["opening", "deposit", "payment", "return", "transfer", "fill", "hold", "release", "manual", "reversal"];

function Transactions() {
  return (
    <ListScreen
      title="Ledger"
      about="What was booked, sealed in order and chained by hashes."
      tabs={<Tabs tabs={views} current="transactions" />}
      operationId="listLedgerTransactions"
      query={({ kind, externalId, range }) => ({ kind, externalId, createdAfter: sinceOf(range) })}
      filters={[
        { name: "kind", label: "Kind", choices: kinds.map((value) => ({ value, label: value })) },
        { name: "range", label: "Booked", choices: ranges },
        { name: "externalId", label: "External id" },
      ]}
      idOf={({ id }) => id}
      columns={[
        { label: "Kind", slot: "title", cell: ({ kind }) => kind },
        { label: "Entries", slot: "wide", isNumber: true, cell: ({ entries }) => entries.length },
        { label: "Booked", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} seconds /> },
        {
          label: "Sealed",
          slot: "end",
          cell: ({ sequence }) =>
            sequence === null ? <Badge state="waiting" /> : <span className="number faint">#{sequence}</span>,
        },
      ]}
      empty={<Empty title="Nothing is booked yet">The first movement of money is the first transaction.</Empty>}
      pane={(id) => (
        <Detail call={{ operationId: "getLedgerTransaction", path: { ledgerTransactionId: id } }}>
          {(transaction) => <TransactionPane transaction={transaction} />}
        </Detail>
      )}
    />
  );
}

function TransactionPane({ transaction }: { transaction: Transaction }) {
  const [what, setWhat] = useDo();
  const { id, kind, cause, entries, description, reverses, reversedBy, sequence, hash, createdAt } = transaction;
  const accounts = useAccountsOf(entries);
  const isUnknown = accounts.asked.some(({ isError }) => isError);
  const sums = balanceByCurrency(entries, (accountId) => accounts.find(accountId)?.currency);
  return (
    <>
      <h2>{kind}</h2>
      <div className="actions">
        <ActionButton
          operationId="reverseLedgerTransaction"
          kind="danger"
          onClick={() => setWhat("reverse")}
          unavailable={
            kind !== "manual"
              ? "Only what was booked by hand is reversed by hand."
              : reversedBy === null
                ? null
                : "It is reversed already."
          }
        >
          Reverse
        </ActionButton>
      </div>
      {description !== null && (
        <p className="break">
          <bdi>{description}</bdi>
        </p>
      )}
      {accounts.asked.map((asked, index) => (
        <FailedPart key={index} of={asked} />
      ))}
      <table className="entries">
        <caption className="unseen">Entries</caption>
        <thead>
          <tr>
            <th scope="col">Account</th>
            <th scope="col" className="numeric">
              Debit
            </th>
            <th scope="col" className="numeric">
              Credit
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map(({ ledgerAccountId, direction, amount }, index) => {
            const account = accounts.find(ledgerAccountId);
            const money = account ? (
              <Money amount={amount} currency={account.currency} />
            ) : (
              isUnknown && `${amount} minor units`
            );
            return (
              <tr key={`${ledgerAccountId} ${index}`}>
                <td>
                  <IdLink
                    to="/ledger"
                    open={ledgerAccountId}
                    search={{ view: "accounts" }}
                    text={account && <AccountName account={account} />}
                  />
                </td>
                <td className="numeric">{direction === "debit" && money}</td>
                <td className="numeric">{direction === "credit" && money}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {sums.length > 0 && (
        <p className={sums.every(({ isBalanced }) => isBalanced) ? "note good" : "note bad"}>
          {sums.every(({ isBalanced }) => isBalanced) ? "Debits and credits are equal" : "Debits and credits differ"} in{" "}
          {sums.map(({ currency }) => currency).join(", ")}.
        </p>
      )}
      <Facts
        rows={[
          ["Id", <CopyableId key="id" id={id} />],
          ["Cause", cause === null ? null : <CopyableId key="cause" id={cause.id} />],
          ["Booked", <Time key="booked" at={createdAt} seconds />],
          ["Sealed as", sequence === null ? "waiting" : `#${sequence}`],
          ["Hash", hash === null ? null : <CopyableId key="hash" id={hash} />],
          reverses === null
            ? null
            : ["Reverses", <IdLink key="reverses" to="/ledger" open={reverses} search={{ view: "transactions" }} />],
          reversedBy === null
            ? null
            : ["Reversed by", <IdLink key="by" to="/ledger" open={reversedBy} search={{ view: "transactions" }} />],
        ]}
      />
      {what === "reverse" && (
        <ActionDialog<"reverseLedgerTransaction">
          title="Reverse the transaction"
          submit="Reverse"
          isDangerous
          name={id}
          callOf={() => ({ operationId: "reverseLedgerTransaction", path: { ledgerTransactionId: id } })}
          done="Its reversal is booked."
          onClose={() => setWhat(undefined)}
        >
          Nothing is deleted: the same entries are booked the other way round.
        </ActionDialog>
      )}
    </>
  );
}
