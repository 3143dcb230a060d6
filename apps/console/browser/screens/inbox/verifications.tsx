import type { DataOf } from "../../data/calls.ts";
import { whyNotIn } from "../../data/state-machines.ts";
import { act, Actions, simulate, type Act } from "../../parts/dialog/actions.tsx";
import { plainChoices, requiredText } from "../../parts/fields/field-input.tsx";
import { externalIdFilter, rangeFilter } from "../../parts/fields/filter-bar.tsx";
import { stateFilter } from "../../parts/fields/state-filter.ts";
import { detailOf, ListScreen } from "../../parts/list/list-screen.tsx";
import { Who } from "../../parts/names/names.tsx";
import { useWhyNot } from "../../parts/page/session-context.tsx";
import { useDo } from "../../parts/page/address.tsx";
import { Badge, CopyableId, Time, Facts } from "../../parts/shown/values.tsx";
import { StateMachineView } from "../../parts/shown/state-machine.tsx";
import { RefusalNote } from "../../parts/shown/states.tsx";
import { useDecideKeys, Queues } from "./queues.tsx";

type Verification = DataOf<"getKycVerification">;

export function Verifications() {
  return (
    <ListScreen
      title="Inbox"
      about="Identity verifications that the engine could not decide wait for a person."
      tabs={<Queues current="kyc" />}
      operationId="listKycVerifications"
      filters={[
        stateFilter("KycVerification", { label: "In review", usual: "review_required" }),
        rangeFilter(),
        { name: "reference", label: "Reference" },
        externalIdFilter,
      ]}
      columns={[
        { label: "Reference", slot: "title", cell: ({ reference, id }) => <bdi>{reference ?? id}</bdi> },
        {
          ...{ label: "Checks", slot: "wide" },
          cell: ({ checks }) => checks.map(({ name, result }) => <Badge key={name} state={result} />),
        },
        { label: "Submitted", slot: "meta", cell: ({ createdAt }) => <Time at={createdAt} /> },
        { label: "State", slot: "end", cell: ({ status }) => <Badge state={status} /> },
      ]}
      empty={{ title: "Nothing waits", text: "Verifications that the engine cannot decide are reviewed here." }}
      pane={detailOf("getKycVerification", VerificationPane)}
    />
  );
}

function VerificationPane({ of: verification }: { of: Verification }) {
  const [, setWhat] = useDo();
  const { id, reference, status, checks, decisionReason, decidedBy, createdAt, decidedAt, validUntil } = verification;
  const beyond = useWhyNot("decideKycVerification");
  const mayDecide = beyond === null && whyNotIn("KycVerification", status, "decideVerified") === null;
  useDecideKeys(mayDecide ? { approve: () => setWhat("approve"), reject: () => setWhat("reject") } : null);
  return (
    <>
      <h2>
        <bdi>{reference ?? id}</bdi>
      </h2>
      <Actions
        of={[
          decide(verification, "verified"),
          decide(verification, "rejected"),
          simulate("simulateKycVerification", {
            ...{ label: "Simulate the checks", id, unavailable: whyNotIn("KycVerification", status, "verify") },
            ...{ asks: "They come to", outcomes: plainChoices(["verified", "rejected", "review_required"]) },
            ...{ usual: "review_required", done: "The checks have ended." },
          }),
        ]}
      />
      <RefusalNote code={verification.rejectionCode} reason={verification.rejectionReason} />
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
          ["Decided by", decidedBy && <Who key="by" who={decidedBy} />],
          decisionReason && ["Reason", <bdi key="reason">{decisionReason}</bdi>],
          validUntil && ["Valid until", <Time key="valid" at={validUntil} />],
        ]}
      />
      <StateMachineView machine="KycVerification" state={status} />
    </>
  );
}

/** Final, and with a reason either way: the next auditor asks for it. */
function decide({ id, reference, status }: Verification, decision: "verified" | "rejected"): Act {
  return act("decideKycVerification", {
    ...(decision === "rejected"
      ? {
          ...{ do: "reject", label: "Reject", kind: "danger", name: reference ?? id },
          ...{ title: "Reject the verification", submit: "Reject", done: "The verification is rejected." },
          text: "It stays rejected; the person can be verified again.",
        }
      : {
          ...{ do: "approve", label: "Verify", kind: "primary" },
          ...{ title: "Verify by hand", submit: "Verify", done: "It is verified." },
          text: "Operations that need a verified person are allowed from now on.",
        }),
    ...{ id, unavailable: whyNotIn("KycVerification", status, "decideVerified") },
    fields: [
      {
        ...{ name: "reason", label: "Why", kind: "area" },
        hint: "Kept encrypted, shown to admins only, deleted with the personal data.",
      },
    ],
    bodyOf: ({ reason }) => ({ decision, reason: requiredText(reason, "Say why.") }),
  });
}
