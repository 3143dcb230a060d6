import { useUrlState } from "../../parts/page/address.tsx";
import { Approvals } from "./approvals.tsx";
import { Verifications } from "./verifications.tsx";

export function InboxScreen() {
  const [{ queue }] = useUrlState();
  return queue === "kyc" ? <Verifications /> : <Approvals />;
}
