import type { DataOf } from "../../data/calls.ts";
import { valuesOf } from "../../data/listed-values.ts";
import { act, Actions } from "../../parts/dialog/actions.tsx";
import { plainChoices } from "../../parts/fields/field-input.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Badge, CopyableId, IdLink, Money, Time, Facts, FiguresTable } from "../../parts/shown/values.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { Tabs } from "../../parts/shown/screen-header.tsx";
import { AccountName, useAccountsOf, balanceByCurrency, views } from "./accounts.tsx";

type Transaction = DataOf<"getLedgerTransaction">;

const kinds = plainChoices(valuesOf("LedgerTransactionKind"));

export function Transactions() {
  return (
    <ListScreen
      title="Ledger"
      about="Bookings, sealed in order and chained by hashes."
      tabs={<Tabs tabs={views} current="transactions" />}
      operationId="listLedgerTransactions"
      filters={[{ name: "kind", label: "Kind", choices: kinds }, rangeFilter("Booked"), externalIdFilter]}
      columns={[
        { label: "Kind", slot: "title", cell: ({ kind }) => kind },
        { label: "Entries", slot: "wide", isNumber: true, cell: ({ entries }) => entries.length },
        { label: "Booked", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} seconds /> },
        {
          ...{ label: "Sealed", slot: "end" },
          cell: ({ sequence }) =>
            sequence === null ? <Badge state="waiting" /> : <span className="number faint">#{sequence}</span>,
        },
      ]}
      empty={{ title: "Nothing is booked yet", text: "The first movement of money is the first transaction." }}
      pane={detailOf("getLedgerTransaction", TransactionPane)}
    />
  );
}

function TransactionPane({ of: transaction }: { of: Transaction }) {
  const { id, kind, cause, entries, description, reverses, reversedBy, sequence, hash, createdAt } = transaction;
  const link = (key: string, to: string) => (
    <IdLink key={key} to="/ledger" open={to} search={{ view: "transactions" }} />
  );
  return (
    <>
      <h2>{kind}</h2>
      <Actions
        of={[
          act("reverseLedgerTransaction", {
            ...{ do: "reverse", label: "Reverse", kind: "danger", id, name: id },
            unavailable: whyNotReverse(transaction),
            ...{ title: "Reverse the transaction", submit: "Reverse", done: "Its reversal is booked." },
            text: "Nothing is deleted: the same entries are booked the other way round.",
          }),
        ]}
      />
      {description !== null && (
        <p className="break">
          <bdi>{description}</bdi>
        </p>
      )}
      <Entries entries={entries} />
      <Facts
        rows={[
          ["Id", <CopyableId key="id" id={id} />],
          ["Cause", cause === null ? null : <CopyableId key="cause" id={cause.id} />],
          ["Booked", <Time key="booked" at={createdAt} seconds />],
          ["Sealed as", sequence === null ? "waiting" : `#${sequence}`],
          ["Hash", hash === null ? null : <CopyableId key="hash" id={hash} />],
          reverses && ["Reverses", link("reverses", reverses)],
          reversedBy && ["Reversed by", link("by", reversedBy)],
        ]}
      />
    </>
  );
}

function whyNotReverse({ kind, reversedBy }: Transaction): string | null {
  if (kind !== "manual") {
    return "Only transactions booked by hand can be reversed by hand.";
  }
  return reversedBy === null ? null : "It is reversed already.";
}

function Entries({ entries }: Pick<Transaction, "entries">) {
  const accounts = useAccountsOf(entries);
  const isUnknown = accounts.asked.some(({ isError }) => isError);
  const sums = balanceByCurrency(entries, (accountId) => accounts.find(accountId)?.currency);
  const isBalanced = sums.every((one) => one.isBalanced);
  return (
    <>
      {accounts.asked.map((asked, index) => (
        <FailedPart key={index} of={asked} />
      ))}
      <FiguresTable
        caption="Entries"
        className="entries"
        heads={["Account", "Debit", "Credit"]}
        rows={entries.map(({ ledgerAccountId, direction, amount }) => {
          const account = accounts.find(ledgerAccountId);
          const money = account ? (
            <Money amount={amount} currency={account.currency} />
          ) : (
            isUnknown && `${amount} minor units`
          );
          const name = (
            <IdLink
              to="/ledger"
              open={ledgerAccountId}
              search={{ view: "accounts" }}
              text={account && <AccountName account={account} />}
            />
          );
          return [name, direction === "debit" && money, direction === "credit" && money];
        })}
      />
      {sums.length > 0 && (
        <p className={isBalanced ? "note good" : "note bad"}>
          {isBalanced ? "Debits and credits are equal" : "Debits and credits differ"} in{" "}
          {sums.map(({ currency }) => currency).join(", ")}.
        </p>
      )}
    </>
  );
}
