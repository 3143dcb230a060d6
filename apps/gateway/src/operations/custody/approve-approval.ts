import { decideApproval } from "./decide-approval.ts";

export const approveApproval = decideApproval("approved");
