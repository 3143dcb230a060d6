import { useUrlState } from "../../parts/page/use-url-state.ts";
import { Approvals } from "./approvals.tsx";
import { Verifications } from "./verifications.tsx";

/** What waits for a person's decision. */
export function InboxScreen() {
  const [{ queue }] = useUrlState();
  return queue === "kyc" ? <Verifications /> : <Approvals />;
}
