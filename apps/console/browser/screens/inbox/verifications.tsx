import type { DataOf } from "../../data/calls.ts";
import { stateChoices, whyNotIn } from "../../data/state-machines.ts";
import { ActionButton } from "../../parts/dialog/action-button.tsx";
import { ActionDialog } from "../../parts/dialog/action-dialog.tsx";
import { Badge } from "../../parts/shown/badge.tsx";
import { CopyableId } from "../../parts/shown/copy-button.tsx";
import { Facts } from "../../parts/shown/facts.tsx";
import { ranges, sinceOf } from "../../parts/fields/filter-bar.tsx";
import { Detail, ListScreen } from "../../parts/list/list-screen.tsx";
import { useSession, useWhyNot } from "../../parts/page/session-context.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { Empty } from "../../parts/shown/states.tsx";
import { Time } from "../../parts/shown/time.tsx";
import { useDo } from "../../parts/page/use-do.ts";
import { NameLink, nounOf } from "../../parts/names/names.tsx";
import { useDecideKeys } from "./decide-keys.ts";
import { Queues } from "./queues.tsx";

type Verification = DataOf<"getKycVerification">;

export function Verifications() {
  return (
    <ListScreen
      title="Inbox"
      about="Identity verifications. What the engine could not decide waits for a person."
      tabs={<Queues current="kyc" />}
      operationId="listKycVerifications"
      query={({ status, externalId, range, reference }) => ({
        status: status === "all" ? undefined : (status ?? "review_required"),
        ...{ externalId, reference, createdAfter: sinceOf(range) },
      })}
      filters={[
        {
          name: "status",
          label: "In review",
          choices: [
            ...stateChoices("KycVerification").filter(({ value }) => value !== "review_required"),
            { value: "all", label: "all" },
          ],
        },
        { name: "range", label: "Created", choices: ranges },
        { name: "reference", label: "Reference" },
        { name: "externalId", label: "External id" },
      ]}
      idOf={({ id }) => id}
      columns={[
        { label: "Reference", slot: "title", cell: ({ reference, id }) => <bdi>{reference ?? id}</bdi> },
        {
          label: "Checks",
          slot: "wide",
          cell: ({ checks }) => checks.map(({ name, result }) => <Badge key={name} state={result} />),
        },
        { label: "Submitted", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
      ]}
      empty={<Empty title="Nothing waits">What the engine cannot decide by itself is reviewed here.</Empty>}
      pane={(id) => (
        <Detail call={{ operationId: "getKycVerification", path: { kycVerificationId: id } }}>
          {(verification) => <VerificationPane verification={verification} />}
        </Detail>
      )}
    />
  );
}

function VerificationPane({ verification }: { verification: Verification }) {
  const [what, setWhat] = useDo();
  const { environment } = useSession();
  const {
    id,
    reference,
    status,
    checks,
    rejectionCode,
    rejectionReason,
    decisionReason,
    decidedBy,
    createdAt,
    decidedAt,
    validUntil,
  } = verification;
  const close = (): void => setWhat(undefined);
  const unavailable = whyNotIn("KycVerification", status, "decideVerified");
  const beyond = useWhyNot("decideKycVerification");
  const mayDecide = beyond === null && unavailable === null;
  useDecideKeys(mayDecide ? { approve: () => setWhat("approve"), reject: () => setWhat("reject") } : null);
  return (
    <>
      <h2>
        <bdi>{reference ?? id}</bdi>
      </h2>
      <div className="actions">
        <ActionButton
          operationId="decideKycVerification"
          kind="primary"
          onClick={() => setWhat("approve")}
          unavailable={unavailable}
        >
          Verify
        </ActionButton>
        <ActionButton
          operationId="decideKycVerification"
          kind="danger"
          onClick={() => setWhat("reject")}
          unavailable={unavailable}
        >
          Reject
        </ActionButton>
        {environment === "sandbox" && (
          <ActionButton
            operationId="simulateKycVerification"
            onClick={() => setWhat("simulate")}
            unavailable={whyNotIn("KycVerification", status, "verify")}
          >
            Simulate the checks
          </ActionButton>
        )}
      </div>
      {rejectionCode !== null && (
        <p className="note bad">
          <code>{rejectionCode}</code> {rejectionReason}
        </p>
      )}
      <h3>Checks</h3>
      <ul className="lines">
        {checks.map(({ name, result, code }) => (
          <li key={name}>
            {name.replaceAll("_", " ")}
            {code !== null && <code className="faint">{code}</code>}
            <Badge state={result} />
          </li>
        ))}
      </ul>
      <Facts
        rows={[
          ["Id", <CopyableId key="id" id={id} />],
          ["Submitted", <Time key="submitted" at={createdAt} seconds />],
          ["Decided", <Time key="decided" at={decidedAt} seconds />],
          ["Decided by", decidedBy === null ? null : <DecidedBy key="by" by={decidedBy} />],
          decisionReason === null ? null : ["Reason", <bdi key="reason">{decisionReason}</bdi>],
          validUntil === null ? null : ["Valid until", <Time key="valid" at={validUntil} />],
        ]}
      />
      <StateMachineView machine="KycVerification" state={status} />
      {(what === "approve" || what === "reject") && (
        <DecideVerification verification={verification} decision={what} onClose={close} />
      )}
      {what === "simulate" && (
        <ActionDialog<"simulateKycVerification">
          title="Simulate the checks"
          fields={[
            {
              name: "outcome",
              label: "They come to",
              kind: "radio",
              choices: ["verified", "rejected", "review_required"].map((value) => ({
                value,
                label: value.replaceAll("_", " "),
              })),
            },
          ]}
          initial={{ outcome: "review_required" }}
          submit="Simulate"
          callOf={({ outcome }) => ({
            operationId: "simulateKycVerification",
            path: { kycVerificationId: id },
            body: { outcome },
          })}
          done="The checks have ended."
          onClose={close}
        />
      )}
    </>
  );
}

function DecidedBy({ by: { kind, id } }: { by: NonNullable<Verification["decidedBy"]> }) {
  const noun = id === null ? null : nounOf(id);
  return noun === null || id === null ? <span>{kind}</span> : <NameLink noun={noun} id={id} />;
}

type DecideOptions = { verification: Verification; decision: "approve" | "reject"; onClose(): void };

/** Final, and with a reason either way: the next auditor asks for it. */
function DecideVerification({ verification: { id, reference }, decision, onClose }: DecideOptions) {
  const isRejection = decision === "reject";
  return (
    <ActionDialog<"decideKycVerification">
      title={isRejection ? "Reject the verification" : "Verify by hand"}
      fields={[
        {
          name: "reason",
          label: "Why",
          kind: "area",
          hint: "Kept encrypted, shown to admins only, deleted with the personal data.",
        },
      ]}
      submit={isRejection ? "Reject" : "Verify"}
      {...(isRejection ? { isDangerous: true, name: reference ?? id } : {})}
      callOf={({ reason = "" }) => {
        if (reason.trim() === "") {
          throw new Error("Say why.");
        }
        return {
          operationId: "decideKycVerification",
          path: { kycVerificationId: id },
          body: { decision: isRejection ? "rejected" : "verified", reason: reason.trim() },
        };
      }}
      done={isRejection ? "The verification is rejected." : "It is verified."}
      onClose={onClose}
    >
      {isRejection
        ? "It stays rejected; the person can be verified anew."
        : "What takes a verified person goes through from now on."}
    </ActionDialog>
  );
}
