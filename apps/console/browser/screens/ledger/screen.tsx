import type { DataOf } from "../../data/calls.ts";
import { usePreferences } from "../../data/preferences.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { FieldInput } from "../../parts/fields/field-input.tsx";
import { fieldOfMoment, momentOfField } from "../../parts/fields/time-filter.tsx";
import { Below, Lines, useLatest } from "../../parts/list/lines.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { NameLink } from "../../parts/names/names.tsx";
import { useUrlState } from "../../parts/page/address.tsx";
import { CopyableId, IdLink, Money, Time, Facts } from "../../parts/shown/values.tsx";
import { Tabs } from "../../parts/shown/screen-header.tsx";
import { AccountName, views } from "./accounts.tsx";
import { Transactions } from "./transactions.tsx";

export function LedgerScreen() {
  const [{ view }] = useUrlState();
  return view === "transactions" ? <Transactions /> : <Accounts />;
}

function Accounts() {
  return (
    <ListScreen
      title="Ledger"
      about="Every movement of money, as debit and credit entries that sum to zero."
      tabs={<Tabs tabs={views} current="accounts" />}
      operationId="listLedgerAccounts"
      columns={[
        { label: "Name", slot: "title", cell: (account) => <AccountName account={account} /> },
        {
          ...{ label: "Kind", slot: "meta" },
          cell: ({ kind, purpose }) => <span className="faint">{[kind, purpose].filter(Boolean).join(" · ")}</span>,
        },
        {
          ...{ label: "Balance", slot: "end", isNumber: true },
          cell: ({ balance, currency }) =>
            balance === null ? (
              <span className="faint">{currency}</span>
            ) : (
              <Money amount={balance} currency={currency} />
            ),
        },
      ]}
      empty={{ title: "No ledger accounts yet", text: "They come with the first wallet." }}
      pane={(id) => <AccountPane id={id} />}
    />
  );
}

function AccountPane({ id }: { id: string }) {
  const [{ at }, setState] = useUrlState();
  const { zone } = usePreferences();
  const field = fieldOfMoment(at, zone);
  const path = { ledgerAccountId: id };
  return (
    <>
      <Detail call={{ operationId: "getLedgerAccount", path, query: { at: momentOfField(field, zone) } }}>
        {(account) => <AccountFacts account={account} />}
      </Detail>
      <FieldInput
        field={{ name: "at", label: "As of", kind: "moment", hint: "A minute back at least. Empty: now." }}
        value={field}
        onChange={(value) => setState({ at: momentOfField(value, zone) }, { replace: true })}
      />
      <AccountEntries id={id} />
    </>
  );
}

function AccountFacts({ account }: { account: DataOf<"getLedgerAccount"> }) {
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
          ["Below zero", mayBeNegative ? "allowed" : "never"],
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
    <Below title="Latest entries">
      <Lines of={entries}>
        {({ ledgerTransactionId, kind, direction, amount, createdAt }) => (
          <li key={`${ledgerTransactionId} ${direction}`}>
            <IdLink to="/ledger" open={ledgerTransactionId} search={{ view: "transactions" }} />
            <span className="faint">
              {kind} · {direction} · <Time at={createdAt} />
            </span>
            {currency && <Money amount={amount} currency={currency} />}
          </li>
        )}
      </Lines>
    </Below>
  );
}
