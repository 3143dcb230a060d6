import { decideApproval } from "./decide-approval.ts";

export const rejectApproval = decideApproval("rejected");
