import type { DataOf } from "../../data/calls.ts";
import { amountOf } from "../../data/amount.ts";
import { stateMachines, whyNotIn } from "../../data/state-machines.ts";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { act, Actions, simulate } from "../../parts/dialog/actions.tsx";
import { choicesOf, requiredText } from "../../parts/fields/field-input.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { stateFilter } from "../../parts/fields/state-filter.ts";
import { useWallets, walletOf } from "../../parts/fields/wallet-choice.ts";
import { amountColumn } from "../../parts/list/columns.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { AddressName, Name, NameLink, useNameChoices, Who } from "../../parts/names/names.tsx";
import { useUrlState } from "../../parts/page/address.tsx";
import { Badge, CopyableId, IdLink, Money, Time, Facts } from "../../parts/shown/values.tsx";
import { Metadata } from "../../parts/shown/code-block.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { LoadingRows, RefusalNote } from "../../parts/shown/states.tsx";
import { Tabs } from "../../parts/shown/screen-header.tsx";
import { views } from "./describe-rule.ts";
import { lazyPart } from "../../parts/page/lazy-part.tsx";

/** Rules change seldom, so the screen loads when the user opens it. */
const RulesScreen = lazyPart(
  () => import("./rules.tsx"),
  "RulesScreen",
  () => <LoadingRows />,
);

type Transfer = DataOf<"getTransfer">;

export function TransfersScreen() {
  const [{ view }] = useUrlState();
  return view === "rules" ? <RulesScreen /> : <Transfers />;
}

function Transfers() {
  const wallets = useNameChoices("wallet");
  return (
    <ListScreen
      title="Transfers"
      about="Out of wallets of digital assets, over their networks."
      tabs={<Tabs tabs={views} current="transfers" />}
      operationId="listTransfers"
      filters={[
        stateFilter("CustodyTransfer"),
        rangeFilter(),
        { name: "walletId", label: "Wallet", choices: wallets },
        externalIdFilter,
      ]}
      create={{
        operationId: "createTransfer",
        label: "Send a transfer",
        dialog: (close) => <CreateTransfer onClose={close} />,
      }}
      columns={[
        { label: "To", slot: "title", cell: (transfer) => <AddressName of={transfer} /> },
        { label: "From", slot: "wide", cell: ({ walletId }) => <Name noun="wallet" id={walletId} /> },
        { label: "Network", slot: "wide", cell: ({ network }) => network },
        { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "State", slot: "meta", cell: ({ status }) => <Badge state={status} /> },
        amountColumn,
      ]}
      empty={{
        title: "No transfers yet",
        text: (
          <>
            A transfer sends what is in a wallet of BTC, ETH or USDC to an address. Larger ones wait for an approval in
            the inbox.
          </>
        ),
      }}
      pane={detailOf("getTransfer", TransferPane)}
    />
  );
}

function CreateTransfer({ onClose }: { onClose(): void }) {
  const [, setState] = useUrlState();
  const { wallets, choices, asked } = useWallets(({ currency }) => ["BTC", "ETH", "USDC"].includes(currency));
  return (
    <ActionDialog<"createTransfer">
      title="Send a transfer"
      choices={[asked]}
      fields={[
        { name: "walletId", label: "From", kind: "select", choices },
        {
          ...{ name: "destinationAddress", label: "To the address", kind: "text", isCode: true },
          hint: "Its checksum is verified. A transfer cannot be reversed.",
        },
        { name: "amount", label: "Amount", kind: "text", placeholder: "0.01" },
      ]}
      submit="Send"
      callOf={({ walletId, destinationAddress: typed, amount }) => {
        const { id, currency } = walletOf(wallets, walletId, "the wallet to send from");
        const destinationAddress = requiredText(typed, "Write the address to send to.");
        return {
          operationId: "createTransfer",
          body: { walletId: id, amount: amountOf(amount, currency), destinationAddress },
        };
      }}
      done="The transfer is in flight, or waits for its approval."
      onDone={({ data }) => setState({ do: undefined, open: data.id })}
      onClose={onClose}
    />
  );
}

function TransferPane({ of: transfer }: { of: Transfer }) {
  const { id, walletId, amount, currency, network, fee, destinationAddress, status, approvalId } = transfer;
  const { transactionHash, externalId, metadata, createdAt, submittedAt, broadcastAt, completedAt } = transfer;
  const isOver = stateMachines.CustodyTransfer.final.includes(status);
  return (
    <>
      <h2>
        <Money amount={amount} currency={currency} />
      </h2>
      <Actions
        of={[
          act("cancelTransfer", {
            ...{ do: "cancel", label: "Cancel", kind: "danger", id, name: id },
            unavailable: whyNotIn("CustodyTransfer", status, "cancel"),
            ...{ title: "Cancel the transfer", submit: "Cancel transfer", done: "The transfer is canceled." },
            text: "The held money is available again, and its approval is no longer needed.",
          }),
          simulate("simulateTransfer", {
            ...{ label: "Simulate the end", id, unavailable: isOver ? `It is ${status}.` : null },
            asks: "Outcome of the network",
            outcomes: choicesOf({ completed: "Completed", failed: "Failed" }),
            done: "The simulated outcome was recorded.",
          }),
        ]}
      />
      <StateMachineView machine="CustodyTransfer" state={status} />
      <RefusalNote code={transfer.failureCode} />
      <Facts
        rows={[
          ["State", <Badge key="state" state={status} />],
          [
            "Approval",
            approvalId === null ? (
              "not needed"
            ) : (
              <IdLink key="approval" to="/inbox" open={approvalId} search={{ queue: "approvals" }} />
            ),
          ],
          ["From", <NameLink key="from" noun="wallet" id={walletId} />],
          ["To", <CopyableId key="to" id={destinationAddress} />],
          ["Network", network],
          ["Fee", <Money key="fee" amount={fee} currency={currency} />],
          ["Asked for by", <Who key="by" who={transfer.initiatedBy} />],
          ["Transaction", transactionHash === null ? null : <CopyableId key="hash" id={transactionHash} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", externalId],
          ["Created", <Time key="created" at={createdAt} seconds />],
          submittedAt && ["Submitted", <Time key="submitted" at={submittedAt} seconds />],
          broadcastAt && ["On its network", <Time key="broadcast" at={broadcastAt} seconds />],
          completedAt && ["Completed", <Time key="completed" at={completedAt} seconds />],
        ]}
      />
      <Metadata of={metadata} />
    </>
  );
}
