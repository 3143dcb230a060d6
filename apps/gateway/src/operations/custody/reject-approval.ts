import { presentApproval } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { found } from "../no-such.ts";

/** The operation is for people, so the credential is never a key. */
export const rejectApproval: OperationHandler<"rejectApproval"> = async ({ input, principal, deps }) => {
  const { accountId, credential } = principal;
  if (credential.kind !== "accessToken") {
    throw new Error("A decision came without a person.");
  }
  const { personId } = credential;
  const { comment = null } = input.body;
  const decided = { id: input.path.approvalId, accountId, personId, decision: "rejected", comment } as const;
  return { status: 200, data: presentApproval(found("approval", await deps.custody.approvals.decide(decided))) };
};
