import { operations } from "../../data/operations.ts";
import type { DataOf } from "../../data/calls.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { ActionDialog } from "../../parts/action-dialog.tsx";
import { Badge } from "../../parts/badge.tsx";
import { CopyableId } from "../../parts/copy-button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { Detail, ListScreen } from "../../parts/list-screen.tsx";
import { Money } from "../../parts/money.tsx";
import { useSession } from "../../parts/session-context.tsx";
import { StateMachineView } from "../../parts/state-machine.tsx";
import { Empty } from "../../parts/states.tsx";
import { Ago, Time } from "../../parts/time.tsx";
import { useCall } from "../../parts/use-call.ts";
import { useDo } from "../../parts/use-do.ts";
import { IdLink } from "../../parts/who.tsx";
import { Queues } from "./queues.tsx";

type Approval = DataOf<"getApproval">;

const states = ["requested", "approved", "rejected", "expired", "canceled"];

export function Approvals() {
  return (
    <ListScreen
      title="Inbox"
      about="Transfers that wait for owners, the next deadline first to see."
      tabs={<Queues current="approvals" />}
      operationId="listApprovals"
      query={({ status }) => ({ status: status === "all" ? undefined : (status ?? "requested") })}
      filters={[
        {
          name: "status",
          label: "Waiting",
          choices: [...states.slice(1).map((value) => ({ value, label: value })), { value: "all", label: "all" }],
        },
      ]}
      idOf={({ id }) => id}
      columns={[
        {
          label: "Amount",
          slot: "title",
          cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
        },
        { label: "Approvals", slot: "meta", cell: (approval) => <Quorum approval={approval} /> },
        { label: "Asked", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          label: "Expires",
          slot: "meta",
          cell: ({ expiresAt, status }) => (status === "requested" ? <Ago at={expiresAt} /> : ""),
        },
        { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
      ]}
      empty={
        <Empty title="Nothing waits">A transfer that the policy does not let out by itself is decided here.</Empty>
      }
      pane={(id) => (
        <Detail call={{ operationId: "getApproval", path: { approvalId: id } }}>
          {(approval) => <ApprovalPane approval={approval} />}
        </Detail>
      )}
    />
  );
}

function Quorum({
  approval: { decisions, requiredApprovals },
}: {
  approval: Pick<Approval, "decisions" | "requiredApprovals">;
}) {
  const given = decisions.filter(({ decision }) => decision === "approved").length;
  return (
    <span className="number">
      {given} of {requiredApprovals}
    </span>
  );
}

function ApprovalPane({ approval }: { approval: Approval }) {
  const [what, setWhat] = useDo();
  const { person, environment } = useSession();
  const { id, transferId, walletId, amount, currency, status, decisions, createdAt, expiresAt, decidedAt } = approval;
  const transfer = useCall({ operationId: "getTransfer", path: { transferId } }).data?.data;
  const wallet = useCall({ operationId: "getWallet", path: { walletId } }).data?.data;
  const isOwn = transfer?.initiatedBy.id === person.id;
  const unavailable =
    status !== "requested"
      ? `It is ${status}.`
      : isOwn
        ? "You asked for it: another owner decides."
        : decisions.some(({ personId }) => personId === person.id)
          ? "You have decided."
          : null;
  const freshSeconds = operations.approveApproval.freshSignInSeconds;
  const close = (): void => setWhat(undefined);
  return (
    <>
      <h2>
        <Money amount={amount} currency={currency} />
      </h2>
      <div className="actions">
        <ActionButton
          operationId="approveApproval"
          kind="primary"
          onClick={() => setWhat("approve")}
          unavailable={unavailable}
        >
          Approve
        </ActionButton>
        <ActionButton
          operationId="rejectApproval"
          kind="danger"
          onClick={() => setWhat("reject")}
          unavailable={unavailable}
        >
          Reject
        </ActionButton>
        {environment === "sandbox" && (
          <ActionButton
            operationId="simulateApproval"
            onClick={() => setWhat("simulate")}
            unavailable={status === "requested" ? null : `It is ${status}.`}
          >
            Simulate an owner
          </ActionButton>
        )}
      </div>
      <StateMachineView machine="CustodyApproval" state={status} />
      <Facts
        rows={[
          ["Approvals", <Quorum key="quorum" approval={approval} />],
          ["To", transfer ? <CopyableId key="to" id={transfer.destinationAddress} /> : null],
          [
            "Asked for by",
            transfer ? (
              <span key="by">
                {transfer.initiatedBy.kind} <code>{transfer.initiatedBy.id}</code>
              </span>
            ) : null,
          ],
          ["Network fee", transfer ? <Money key="fee" amount={transfer.fee} currency={currency} /> : null],
          ["Wallet", <IdLink key="wallet" to="/wallets" id={walletId} />],
          [
            "Left in it",
            wallet ? (
              <span key="left">
                <Money amount={wallet.balance.available} currency={currency} />, this is held already
              </span>
            ) : null,
          ],
          ["Transfer", <IdLink key="transfer" to="/transfers" id={transferId} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["Asked", <Time key="asked" at={createdAt} seconds />],
          status === "requested"
            ? ["Expires", <Ago key="expires" at={expiresAt} />]
            : ["Decided", <Time key="decided" at={decidedAt} seconds />],
        ]}
      />
      <h3>Decisions</h3>
      {decisions.length === 0 && <p className="faint">None yet.</p>}
      <ul className="lines">
        {decisions.map(({ personId, decision, comment, at }) => (
          <li key={at}>
            <code>{personId ?? "simulated owner"}</code>
            <span className="faint">
              <Time at={at} /> <bdi>{comment}</bdi>
            </span>
            <Badge state={decision} />
          </li>
        ))}
      </ul>
      {what === "approve" && (
        <ActionDialog<"approveApproval">
          title="Approve the transfer"
          fields={[{ name: "comment", label: "Comment", kind: "text", hint: "For the other owners. May stay empty." }]}
          submit="Approve"
          callOf={({ comment = "" }) => ({
            operationId: "approveApproval",
            path: { approvalId: id },
            body: comment === "" ? {} : { comment },
          })}
          done="You approved it."
          onClose={close}
        >
          <Money amount={amount} currency={currency} /> goes to <code>{transfer?.destinationAddress}</code> once enough
          owners agree. It cannot be called back.
          {freshSeconds !== null && ` It takes a sign-in of the last ${freshSeconds / 60} minutes.`}
        </ActionDialog>
      )}
      {what === "reject" && (
        <ActionDialog<"rejectApproval">
          title="Reject the transfer"
          fields={[{ name: "comment", label: "Comment", kind: "text", hint: "Why. May stay empty." }]}
          submit="Reject"
          isDangerous
          name={id}
          callOf={({ comment = "" }) => ({
            operationId: "rejectApproval",
            path: { approvalId: id },
            body: comment === "" ? {} : { comment },
          })}
          done="You rejected it."
          onClose={close}
        >
          One rejection ends it, and what is held for it is available again.
        </ActionDialog>
      )}
      {what === "simulate" && (
        <ActionDialog<"simulateApproval">
          title="Simulate an owner"
          fields={[
            {
              name: "outcome",
              label: "The owner",
              kind: "radio",
              choices: [
                { value: "approved", label: "approves" },
                { value: "rejected", label: "rejects" },
              ],
            },
          ]}
          initial={{ outcome: "approved" }}
          submit="Simulate"
          callOf={({ outcome }) => ({ operationId: "simulateApproval", path: { approvalId: id }, body: { outcome } })}
          done="A simulated owner has decided."
          onClose={close}
        />
      )}
    </>
  );
}
