import type { DataOf } from "../../data/calls.ts";
import { Actions } from "../../parts/dialog/actions.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { stateFilter } from "../../parts/fields/state-filter.ts";
import { Line, Below, Lines, useLatest } from "../../parts/list/lines.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Badge, CopyableId, Money, Time, Facts, Figures } from "../../parts/shown/values.tsx";
import { Metadata } from "../../parts/shown/code-block.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { createWallet, actsOf, currencies } from "./acts.tsx";
import { Deposits } from "./deposits.tsx";

type Wallet = DataOf<"getWallet">;

export function WalletsScreen() {
  return (
    <ListScreen
      title="Wallets"
      operationId="listWallets"
      filters={[
        { name: "currency", label: "Currency", choices: currencies },
        stateFilter("Wallet"),
        rangeFilter(),
        externalIdFilter,
      ]}
      create={createWallet}
      columns={[
        { label: "Name", slot: "title", cell: ({ name }) => <bdi>{name}</bdi> },
        { ...balanceColumn("available"), slot: "end" },
        balanceColumn("pending"),
        balanceColumn("held"),
        { label: "Created", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "State", slot: "meta", cell: ({ status }) => <Badge state={status} /> },
      ]}
      empty={{
        title: "No wallets yet",
        text: "A wallet holds money in one currency, and every movement of it is in the ledger.",
      }}
      pane={detailOf("getWallet", WalletPane)}
    />
  );
}

type Part = keyof Wallet["balance"];

const balances = { available: "Available", pending: "Pending", held: "Held" } as const satisfies Record<Part, string>;
const parts: readonly Part[] = ["available", "pending", "held"];

function balanceColumn(part: Part) {
  return {
    ...({ label: balances[part], slot: "wide", isNumber: true } as const),
    cell: ({ balance, currency }: Pick<Wallet, "balance" | "currency">) =>
      part !== "available" && balance[part] === 0 ? "" : <Money amount={balance[part]} currency={currency} />,
  };
}

function WalletPane({ of: wallet }: { of: Wallet }) {
  const { id, name, currency, status, balance, externalId, metadata, createdAt } = wallet;
  return (
    <>
      <h2>
        <bdi>{name}</bdi>
      </h2>
      <Actions of={actsOf(wallet)} />
      <Figures
        of={parts.map((part) => [balances[part], <Money key={part} amount={balance[part]} currency={currency} />])}
      />
      <StateMachineView machine="Wallet" state={status} />
      <Facts
        rows={[
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", externalId],
          ["Created", <Time key="created" at={createdAt} />],
        ]}
      />
      <Metadata of={metadata} />
      <Deposits wallet={wallet} />
      <Entries walletId={id} currency={currency} />
    </>
  );
}

function Entries({ walletId, currency }: { walletId: string; currency: Wallet["currency"] }) {
  const entries = useLatest({ operationId: "listLedgerEntries", query: { walletId } }, 10);
  return (
    <Below title="Latest entries">
      <Lines of={entries} empty="Nothing moved yet.">
        {({ ledgerTransactionId, ledgerAccountId, kind, direction, amount, createdAt }) => (
          <Line
            key={`${ledgerTransactionId} ${ledgerAccountId} ${direction}`}
            {...{ to: "/ledger", search: { view: "transactions" }, open: ledgerTransactionId }}
            more={[<Time key="at" at={createdAt} seconds />, ` · ${direction}`]}
            end={<Money amount={amount} currency={currency} />}
          >
            {kind}
          </Line>
        )}
      </Lines>
    </Below>
  );
}
