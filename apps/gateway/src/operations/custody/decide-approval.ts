import { presentApproval } from "@gateway/platform";
import type { OperationHandler } from "../operation.ts";
import { noSuchApproval } from "./no-such-approval.ts";

type Deciding = OperationHandler<"approveApproval"> & OperationHandler<"rejectApproval">;

/** A key comes here never: the operations are for people. */
export function decideApproval(decision: "approved" | "rejected"): Deciding {
  return async ({ input, principal, deps }) => {
    const { accountId, credential } = principal;
    if (credential.kind !== "accessToken") {
      throw new Error("A decision came without a person.");
    }
    const { personId } = credential;
    const own = { id: input.path.approvalId, accountId };
    const { comment = null } = input.body;
    const approval = await deps.custody.approvals.decide({ ...own, personId, decision, comment });
    if (!approval) {
      throw noSuchApproval();
    }
    return { status: 200, data: presentApproval(approval) };
  };
}
