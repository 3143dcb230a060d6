import type { DataOf } from "../../data/calls.ts";
import { stateChoices, stateMachines, whyNotIn } from "../../data/state-machines.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { amountOf } from "../../data/amount.ts";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { ranges, sinceOf } from "../../parts/fields/filter-bar.tsx";
import { JsonView } from "../../parts/shown/json-view.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { AddressName } from "../../parts/names/address-name.tsx";
import { Name, NameLink, useNameChoices } from "../../parts/names/names.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { useSession } from "../../parts/page/session-context.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { Tabs } from "../../parts/shown/tabs.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { useUrlState } from "../../parts/page/use-url-state.ts";
import { useWallets, walletOf } from "../../parts/fields/wallet-choice.ts";
import { IdLink } from "../../parts/shown/id-link.tsx";
import { Initiator } from "../../parts/names/who.tsx";
import { RulesScreen } from "./rules.tsx";
import { views } from "./views.ts";

type Transfer = DataOf<"getTransfer">;

export function TransfersScreen() {
  const [{ view }] = useUrlState();
  return view === "rules" ? <RulesScreen /> : <Transfers />;
}

function Transfers() {
  const [what, setWhat] = useDo();
  const wallets = useNameChoices("wallet");
  const create = (
    <ActionButton operationId="createTransfer" kind="primary" onClick={() => setWhat("create")}>
      Send a transfer
    </ActionButton>
  );
  return (
    <>
      <ListScreen
        title="Transfers"
        about="Out of wallets of digital assets, over their networks."
        tabs={<Tabs tabs={views} current="transfers" />}
        operationId="listTransfers"
        query={({ walletId, status, externalId, range }) => ({
          walletId,
          status,
          externalId,
          createdAfter: sinceOf(range),
        })}
        filters={[
          { name: "status", label: "State", choices: stateChoices("CustodyTransfer") },
          { name: "range", label: "Created", choices: ranges },
          { name: "walletId", label: "Wallet", choices: wallets },
          { name: "externalId", label: "External id" },
        ]}
        idOf={({ id }) => id}
        actions={create}
        columns={[
          {
            label: "To",
            slot: "title",
            cell: (transfer) => <AddressName of={transfer} />,
          },
          { label: "From", slot: "wide", cell: ({ walletId }) => <Name noun="wallet" id={walletId} /> },
          { label: "Network", slot: "wide", cell: ({ network }) => network },
          { label: "Created", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
          { label: "State", slot: "meta", cell: ({ status }) => <Badge state={status} /> },
          {
            label: "Amount",
            slot: "end",
            isNumber: true,
            cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
          },
        ]}
        empty={
          <Empty title="No transfers yet" action={create}>
            A transfer sends what is in a wallet of BTC, ETH or USDC to an address. Larger ones wait for an approval in
            the inbox.
          </Empty>
        }
        pane={(id) => (
          <Detail call={{ operationId: "getTransfer", path: { transferId: id } }}>
            {(transfer) => <TransferPane transfer={transfer} />}
          </Detail>
        )}
      />
      {what === "create" && <CreateTransfer onClose={() => setWhat(undefined)} />}
    </>
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
          name: "destinationAddress",
          label: "To the address",
          kind: "text",
          isCode: true,
          hint: "Its checksum is verified. What is sent cannot be called back.",
        },
        { name: "amount", label: "Amount", kind: "text", placeholder: "0.01" },
      ]}
      submit="Send"
      callOf={({ walletId, destinationAddress = "", amount }) => {
        const { id, currency } = walletOf(wallets, walletId, "the wallet to send from");
        if (destinationAddress.trim() === "") {
          throw new Error("Write the address to send to.");
        }
        return {
          operationId: "createTransfer",
          body: { walletId: id, amount: amountOf(amount, currency), destinationAddress: destinationAddress.trim() },
        };
      }}
      done="The transfer is on its way, or waits for its approval."
      onDone={({ data }) => setState({ do: undefined, open: data.id })}
      onClose={onClose}
    />
  );
}

function TransferPane({ transfer }: { transfer: Transfer }) {
  const [what, setWhat] = useDo();
  const { environment } = useSession();
  const {
    id,
    walletId,
    amount,
    currency,
    network,
    fee,
    destinationAddress,
    status,
    approvalId,
    initiatedBy,
    failureCode,
  } = transfer;
  const { transactionHash, externalId, metadata, createdAt, submittedAt, broadcastAt, completedAt } = transfer;
  const isOver = stateMachines.CustodyTransfer.final.includes(status);
  const close = (): void => setWhat(undefined);
  return (
    <>
      <h2>
        <Money amount={amount} currency={currency} />
      </h2>
      <div className="actions">
        <ActionButton
          operationId="cancelTransfer"
          kind="danger"
          onClick={() => setWhat("cancel")}
          unavailable={whyNotIn("CustodyTransfer", status, "cancel")}
        >
          Cancel
        </ActionButton>
        {environment === "sandbox" && (
          <ActionButton
            operationId="simulateTransfer"
            onClick={() => setWhat("simulate")}
            unavailable={isOver ? `It is ${status}.` : null}
          >
            Simulate the end
          </ActionButton>
        )}
      </div>
      <StateMachineView machine="CustodyTransfer" state={status} />
      {failureCode !== null && (
        <p className="note bad">
          <code>{failureCode}</code>
        </p>
      )}
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
          ["Asked for by", <Initiator key="by" by={initiatedBy} />],
          ["Transaction", transactionHash === null ? null : <CopyableId key="hash" id={transactionHash} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["External id", externalId],
          ["Created", <Time key="created" at={createdAt} seconds />],
          submittedAt === null ? null : ["Submitted", <Time key="submitted" at={submittedAt} seconds />],
          broadcastAt === null ? null : ["On its network", <Time key="broadcast" at={broadcastAt} seconds />],
          completedAt === null ? null : ["Completed", <Time key="completed" at={completedAt} seconds />],
        ]}
      />
      {Object.keys(metadata).length > 0 && <JsonView value={metadata} label="Metadata" />}
      {what === "cancel" && (
        <ActionDialog<"cancelTransfer">
          title="Cancel the transfer"
          submit="Cancel transfer"
          isDangerous
          name={id}
          callOf={() => ({ operationId: "cancelTransfer", path: { transferId: id } })}
          done="The transfer is canceled."
          onClose={close}
        >
          What is held for it is available again, and its approval is not asked for any more.
        </ActionDialog>
      )}
      {what === "simulate" && (
        <ActionDialog<"simulateTransfer">
          title="Simulate the end"
          fields={[
            {
              name: "outcome",
              label: "What the network tells",
              kind: "radio",
              choices: [
                { value: "completed", label: "Completed" },
                { value: "failed", label: "Failed" },
              ],
            },
          ]}
          initial={{ outcome: "completed" }}
          submit="Simulate"
          callOf={({ outcome }) => ({ operationId: "simulateTransfer", path: { transferId: id }, body: { outcome } })}
          done="The network has told."
          onClose={close}
        />
      )}
    </>
  );
}
