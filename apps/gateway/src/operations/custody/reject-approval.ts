import { presentApproval } from "@gateway/platform/custody";
import type { OperationHandler } from "../operation.ts";
import { noSuch } from "../no-such.ts";

/** A key comes here never: the operation is for people. */
export const rejectApproval: OperationHandler<"rejectApproval"> = async ({ input, principal, deps }) => {
  const { accountId, credential } = principal;
  if (credential.kind !== "accessToken") {
    throw new Error("A decision came without a person.");
  }
  const { personId } = credential;
  const own = { id: input.path.approvalId, accountId };
  const { comment = null } = input.body;
  const approval = await deps.custody.approvals.decide({ ...own, personId, decision: "rejected", comment });
  if (!approval) {
    throw noSuch("approval");
  }
  return { status: 200, data: presentApproval(approval) };
};
