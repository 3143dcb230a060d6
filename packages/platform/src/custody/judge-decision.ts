import type { ProblemCode } from "@gateway/contract";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * An owner of less than a day does not count, so a person who takes over an account cannot let its money out at once.
 */
const ownerAgeMs = dayMs;

export const approvalLifeMs = dayMs;

/**
 * Owners of the account who have joined. A person who was removed and joined again is the same user, under other ids.
 */
type Owner = { personId: string; sinceMs: number; formerIds: readonly string[] };

export type ApprovalDecision = {
  /** Null: an owner whom the sandbox simulates, each time a different one. */
  personId: string | null;
  decision: "approved" | "rejected";
  comment: string | null;
  at: string;
};

export type Deciding = {
  status: "requested" | "approved" | "rejected" | "expired" | "canceled";
  expiresAtMs: number;
  decisions: readonly ApprovalDecision[];
  /** People who requested the transfer, or made the key that did. */
  initiators: readonly string[];
  owners: readonly Owner[];
  nowMs: number;
};

export type DecisionRefusal = Extract<
  ProblemCode,
  "INVALID_STATE" | "APPROVER_IS_INITIATOR" | "FORBIDDEN" | "ALREADY_DECIDED"
>;

/** The reason why a person may not decide this way, or null. Any owner may reject; only those who count may approve. */
export function findDecisionRefusal(
  { status, expiresAtMs, decisions, initiators, owners, nowMs }: Deciding,
  { personId, decision }: Pick<ApprovalDecision, "personId" | "decision">,
): DecisionRefusal | null {
  if (status !== "requested" || nowMs >= expiresAtMs) {
    return "INVALID_STATE";
  }
  if (personId === null) {
    return null;
  }
  const owner = owners.find((one) => one.personId === personId);
  if (decision === "approved" && (initiators.includes(personId) || (owner && isInitiator(owner, initiators)))) {
    return "APPROVER_IS_INITIATOR";
  }
  if (!owner || (decision === "approved" && !hasAge(owner, nowMs))) {
    return "FORBIDDEN";
  }
  return decisions.some((one) => one.personId === personId) ? "ALREADY_DECIDED" : null;
}

/**
 * Number of approvals by owners who count now. A person who has left, or became an owner again less than a day ago,
 * does not.
 */
export function countApprovals({
  decisions,
  ...others
}: Pick<Deciding, "decisions" | "initiators" | "owners" | "nowMs">): number {
  const counted = new Set(listApprovers(others));
  const approvals = decisions.filter(({ decision }) => decision === "approved");
  const people = new Set(approvals.flatMap(({ personId }) => personId ?? []));
  return people.intersection(counted).size + approvals.filter(({ personId }) => personId === null).length;
}

export function listApprovers({
  owners,
  initiators,
  nowMs,
}: Pick<Deciding, "initiators" | "owners" | "nowMs">): string[] {
  return owners
    .filter((owner) => hasAge(owner, nowMs) && !isInitiator(owner, initiators))
    .map(({ personId }) => personId);
}

function isInitiator({ personId, formerIds }: Owner, initiators: readonly string[]): boolean {
  return [personId, ...formerIds].some((id) => initiators.includes(id));
}

function hasAge({ sinceMs }: Owner, nowMs: number): boolean {
  return nowMs - sinceMs >= ownerAgeMs;
}
