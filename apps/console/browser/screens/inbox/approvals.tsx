import type { ReactNode } from "react";
import type { DataOf } from "../../data/calls.ts";
import { whyNotIn } from "../../data/state-machines.ts";
import { waitingApprovals } from "../../data/waiting.ts";
import { useAheadMs, useCall } from "../../parts/call/use-call.ts";
import { Actions } from "../../parts/dialog/actions.tsx";
import { stateFilter } from "../../parts/fields/state-filter.ts";
import { amountColumn } from "../../parts/list/columns.tsx";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { AddressName, Name, NameLink, Who } from "../../parts/names/names.tsx";
import { ScreenLink, useDo } from "../../parts/page/address.tsx";
import { useSession, useWhyNot } from "../../parts/page/session-context.tsx";
import { Badge, CopyableId, IdLink, Money, Ago, Time, Facts, Figures } from "../../parts/shown/values.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { FailedPart } from "../../parts/shown/states.tsx";
import { actsOfApproval } from "./approval-acts.tsx";
import { useDecideKeys, Queues } from "./queues.tsx";
import { theLatest } from "../../data/live-lists.ts";

type Approval = DataOf<"getApproval">;

export function Approvals() {
  const aheadMs = useAheadMs();
  const transfers = useTransfers();
  return (
    <ListScreen
      title="Inbox"
      about="Transfers that wait for owners. You cannot approve your own transfer."
      tabs={<Queues current="approvals" />}
      above={<NextDeadline />}
      operationId="listApprovals"
      filters={[stateFilter("CustodyApproval", { label: "Waiting", usual: "requested" })]}
      columns={[
        { label: "To", slot: "title", cell: ({ transferId }) => transfers.to(transferId) ?? "…" },
        { label: "Asked for by", slot: "meta", cell: ({ transferId }) => transfers.by(transferId) },
        { label: "From", slot: "wide", cell: ({ walletId }) => <Name noun="wallet" id={walletId} /> },
        { label: "Approvals", slot: "meta", cell: (approval) => <Quorum approval={approval} /> },
        { label: "Asked", slot: "wide", cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          ...{ label: "Expires", slot: "meta" },
          cell: ({ expiresAt, status }) => (status === "requested" ? <Ago at={expiresAt} aheadMs={aheadMs} /> : ""),
        },
        { label: "State", slot: "wide", cell: ({ status }) => <Badge state={status} /> },
        amountColumn,
      ]}
      empty={{
        title: "Nothing waits",
        text: "Transfers that need approval under the policy are decided here.",
      }}
      pane={detailOf("getApproval", ApprovalPane)}
    />
  );
}

/** The destinations and initiators of approvals. They are known for the latest transfers, in one read for the list. */
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

/** The approval that expires first. Lists are newest first, so it is on the last page. */
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

function Quorum({ approval: { decisions, requiredApprovals } }: { approval: Approval }) {
  const given = decisions.filter(({ decision }) => decision === "approved").length;
  return (
    <span className="number">
      {given} of {requiredApprovals}
    </span>
  );
}

function whyNotApprove(unavailable: string | null, asker: KnownAsker | undefined): string | null {
  if (unavailable !== null || asker === undefined) {
    return unavailable;
  }
  const what = asker.isSelf ? "You" : asker.madeBySelf ? "A key that you made" : null;
  return what && `${what} asked for it: another owner decides.`;
}

function ApprovalPane({ of: approval }: { of: Approval }) {
  const [, setWhat] = useDo();
  const { person } = useSession();
  const { id, transferId, walletId, amount, currency, status, decisions, createdAt, expiresAt, decidedAt } = approval;
  const asked = useCall({ operationId: "getTransfer", path: { transferId } });
  const transfer = asked.data?.data;
  const asker = useAsker(transfer?.initiatedBy);
  const aheadMs = useAheadMs();
  const unavailable =
    whyNotIn("CustodyApproval", status, "approve") ??
    (decisions.some(({ personId }) => personId === person.id) ? "You have decided." : null);
  const unapprovable = whyNotApprove(unavailable, asker);
  const beyond = useWhyNot("approveApproval");
  useDecideKeys({
    approve: () => beyond === null && unapprovable === null && setWhat("approve"),
    reject: () => beyond === null && unavailable === null && setWhat("reject"),
  });
  return (
    <>
      <h2>
        <Money amount={amount} currency={currency} />
      </h2>
      <FailedPart of={asked} />
      {transfer && <Destination transfer={transfer} isWaiting={status === "requested"} />}
      <Actions of={actsOfApproval(approval, { transfer, unavailable, unapprovable })} />
      <BeforeAndAfter approval={approval} transfer={transfer} />
      <Facts
        rows={[
          ["Approvals", <Quorum key="quorum" approval={approval} />],
          ["Asked for by", asker && <Asker key="by" asker={asker} />],
          ["Network fee", transfer && <Money key="fee" amount={transfer.fee} currency={currency} />],
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
    </>
  );
}

type By = DataOf<"getTransfer">["initiatedBy"];

type KnownAsker = {
  by: By;
  /** They asked themselves, or a key that they made did: they may reject it, and not approve it. */
  isSelf: boolean;
  madeBySelf: boolean;
};

/** The one who asked for a transfer; undefined while it is not known. The gateway follows keys made by keys. */
function useAsker(by: By | undefined): KnownAsker | undefined {
  const { person: self, permission } = useSession();
  const maySee = permission === "admin";
  const key = useCall(
    { operationId: "getApiKey", path: { apiKeyId: by?.id ?? "" } },
    { isWanted: maySee && by?.kind === "apiKey" },
  ).data?.data;
  return (
    by && {
      by,
      isSelf: by.id === self.id,
      madeBySelf: key?.createdBy?.id === self.id,
    }
  );
}

function Asker({ asker: { by, isSelf, madeBySelf } }: { asker: KnownAsker }) {
  return (
    <span>
      <Who who={by} />
      {isSelf && ", you"}
      {madeBySelf && ", which you made"}
    </span>
  );
}

type Options = { approval: DataOf<"getApproval">; transfer: DataOf<"getTransfer"> | undefined };

/** The balance of the wallet without the transfer and with it. Held money is still in the wallet (ADR 64). */
function BeforeAndAfter({ approval: { walletId, amount, currency, status }, transfer }: Options) {
  const asked = useCall({ operationId: "getWallet", path: { walletId } });
  const wallet = asked.data?.data;
  if (wallet === undefined || transfer === undefined || status !== "requested") {
    return <FailedPart of={asked} />;
  }
  const { available, held } = wallet.balance;
  const money = (minor: number) => <Money amount={minor} currency={currency} />;
  const name = (
    <>
      <bdi>{wallet.name}</bdi> holds
    </>
  );
  return (
    <Figures
      label="The wallet"
      of={[
        [name, money(available + held)],
        ["After it", money(available + held - amount - transfer.fee)],
        ["Free already", money(available)],
      ]}
    />
  );
}

type DestinationOptions = { transfer: DataOf<"getTransfer">; isWaiting: boolean };

/** The destination of the money, and whether the address book has it: a swapped address is the usual fraud. */
function Destination({ transfer: { destinationAddress, network }, isWaiting }: DestinationOptions) {
  const asked = useCall({ operationId: "listAddressBook" }, { isWhole: true });
  const book = asked.data;
  const entry = book?.data.find((one) => one.network === network && one.address === destinationAddress);
  return (
    <>
      <p className="break">
        To <CopyableId id={destinationAddress} /> <span className="faint">on {network}</span>
        {entry && (
          <>
            {" "}
            · <bdi>{entry.name}</bdi> of the address book
            {entry.status === "pending" && (
              <>
                {", known to the rules from "}
                <Time at={entry.activeFrom} /> on
              </>
            )}
          </>
        )}
      </p>
      <FailedPart of={asked} />
      {book !== undefined && entry === undefined && isWaiting && (
        <p className="note" role="note">
          <strong>New address.</strong> It is not {book.meta.hasMore ? `among ${theLatest} of` : "in"} the address book:
          compare it with the one that the receiver gave you in another way.
        </p>
      )}
    </>
  );
}
