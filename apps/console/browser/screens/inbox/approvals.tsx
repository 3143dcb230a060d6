import type { ReactNode } from "react";
import type { DataOf } from "../../data/calls.ts";
import { stateChoices, whyNotIn } from "../../data/state-machines.ts";
import { ScreenLink } from "../../parts/page/screen-link.tsx";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { AddressName } from "../../parts/names/address-name.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { Money } from "../../parts/shown/money.tsx";
import { useSession, useWhyNot } from "../../parts/page/session-context.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { Empty, Failure } from "../../parts/shown/states.tsx";
import { Ago, Time } from "../../parts/shown/time.tsx";
import { useAheadMs } from "../../parts/call/use-ahead.ts";
import { useCall } from "../../parts/call/use-call.ts";
import { useDo } from "../../parts/page/use-do.ts";
import { Name, NameLink } from "../../parts/names/names.tsx";
import { IdLink } from "../../parts/shown/id-link.tsx";
import { ApprovalDialogs } from "./approval-dialogs.tsx";
import { Asker, useAsker } from "./asker.tsx";
import { BeforeAndAfter } from "./before-and-after.tsx";
import { useDecideKeys } from "./decide-keys.ts";
import { Destination } from "./destination.tsx";
import { Queues } from "./queues.tsx";
import { waitingApprovals } from "../../data/waiting.ts";

type Approval = DataOf<"getApproval">;

export function Approvals() {
  const aheadMs = useAheadMs();
  const transfers = useTransfers();
  return (
    <ListScreen
      title="Inbox"
      about="Transfers that wait for owners. Nobody approves what they asked for."
      tabs={<Queues current="approvals" />}
      above={<NextDeadline />}
      operationId="listApprovals"
      query={({ status }) => ({ status: status === "all" ? undefined : (status ?? "requested") })}
      filters={[
        {
          name: "status",
          label: "Waiting",
          choices: [
            ...stateChoices("CustodyApproval").filter(({ value }) => value !== "requested"),
            { value: "all", label: "all" },
          ],
        },
      ]}
      idOf={({ id }) => id}
      columns={[
        { label: "To", slot: "title", cell: ({ transferId }) => transfers.to(transferId) ?? "…" },
        { label: "Asked for by", slot: "meta", cell: ({ transferId }) => transfers.by(transferId) },
        { label: "From", slot: "wide", cell: ({ walletId }) => <Name noun="wallet" id={walletId} /> },
        { label: "Approvals", slot: "meta", cell: (approval) => <Quorum approval={approval} /> },
        { label: "Asked", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          label: "Expires",
          slot: "meta",
          cell: ({ expiresAt, status }) => (status === "requested" ? <Ago at={expiresAt} aheadMs={aheadMs} /> : ""),
        },
        { label: "State", slot: "wide", cell: ({ status }) => <Badge state={status} /> },
        {
          label: "Amount",
          slot: "end",
          isNumber: true,
          cell: ({ amount, currency }) => <Money amount={amount} currency={currency} />,
        },
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

/** Where the money of an approval goes, and who asked: known of the latest transfers, in one read for the list. */
function useTransfers(): { to(transferId: string): ReactNode; by(transferId: string): ReactNode } {
  const asked = useCall({ operationId: "listTransfers" }, { isWhole: true });
  const find = (transferId: string) => asked.data?.data.find(({ id }) => id === transferId);
  return {
    to: (transferId) => {
      const transfer = find(transferId);
      return transfer && <AddressName of={transfer} />;
    },
    by: (transferId) => {
      const by = find(transferId)?.initiatedBy;
      return by && <Name noun={by.kind} id={by.id} />;
    },
  };
}

/** Lists are newest first; what has to be decided next is the one that ends first, and that is on the last page. */
function NextDeadline() {
  const page = useCall(waitingApprovals);
  const isWanted = page.data?.meta.hasMore ?? false;
  const whole = useCall({ operationId: "listApprovals", query: { status: "requested" } }, { isWanted, isWhole: true });
  const { data } = isWanted ? whole : page;
  const aheadMs = useAheadMs();
  const next = data?.data.toSorted((one, other) => one.expiresAt.localeCompare(other.expiresAt))[0];
  return next === undefined ? null : (
    <p className="note">
      Next:{" "}
      <ScreenLink to="/inbox" search={{ queue: "approvals" }} open={next.id}>
        <Money amount={next.amount} currency={next.currency} />
      </ScreenLink>{" "}
      expires <Ago at={next.expiresAt} aheadMs={aheadMs} />.
    </p>
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
  const asked = useCall({ operationId: "getTransfer", path: { transferId } });
  const transfer = asked.data?.data;
  const asker = useAsker(transfer?.initiatedBy);
  const aheadMs = useAheadMs();
  const unavailable =
    whyNotIn("CustodyApproval", status, "approve") ??
    (decisions.some(({ personId }) => personId === person.id) ? "You have decided." : null);
  const whyNotApprove =
    unavailable ??
    (asker?.isSelf ? "You asked for it: another owner decides." : null) ??
    (asker?.madeBySelf ? "A key that you made asked for it: another owner decides." : null);
  const beyond = useWhyNot("approveApproval");
  useDecideKeys({
    approve: () => beyond === null && whyNotApprove === null && setWhat("approve"),
    reject: () => beyond === null && unavailable === null && setWhat("reject"),
  });
  return (
    <>
      <h2>
        <Money amount={amount} currency={currency} />
      </h2>
      {asked.isError && transfer === undefined && <Failure error={asked.error} retry={() => void asked.refetch()} />}
      {transfer && <Destination transfer={transfer} isWaiting={status === "requested"} />}
      <div className="actions">
        <ActionButton
          operationId="approveApproval"
          kind="primary"
          onClick={() => setWhat("approve")}
          unavailable={whyNotApprove}
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
            unavailable={whyNotIn("CustodyApproval", status, "approve")}
          >
            Simulate an owner
          </ActionButton>
        )}
      </div>
      <BeforeAndAfter approval={approval} transfer={transfer} />
      <Facts
        rows={[
          ["Approvals", <Quorum key="quorum" approval={approval} />],
          ["Asked for by", asker && <Asker key="by" asker={asker} />],
          ["Network fee", transfer ? <Money key="fee" amount={transfer.fee} currency={currency} /> : null],
          ["Wallet", <NameLink key="wallet" noun="wallet" id={walletId} />],
          ["Transfer", <IdLink key="transfer" to="/transfers" open={transferId} />],
          ["Id", <CopyableId key="id" id={id} />],
          ["Asked", <Time key="asked" at={createdAt} seconds />],
          status === "requested"
            ? ["Expires", <Ago key="expires" at={expiresAt} aheadMs={aheadMs} />]
            : ["Decided", <Time key="decided" at={decidedAt} seconds />],
        ]}
      />
      <h3>Decisions</h3>
      {decisions.length === 0 && <p className="faint">None yet.</p>}
      <ul className="lines">
        {decisions.map(({ personId, decision, comment, at }) => (
          <li key={at}>
            {personId === null ? "simulated owner" : <NameLink noun="person" id={personId} />}
            <span className="faint">
              <Time at={at} /> <bdi>{comment}</bdi>
            </span>
            <Badge state={decision} />
          </li>
        ))}
      </ul>
      <StateMachineView machine="CustodyApproval" state={status} />
      <ApprovalDialogs approval={approval} transfer={transfer} what={what} onClose={() => setWhat(undefined)} />
    </>
  );
}
