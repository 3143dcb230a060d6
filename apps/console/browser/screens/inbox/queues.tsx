import { Tabs } from "../../parts/shown/tabs.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { waitingApprovals, waitingVerifications } from "../../data/waiting.ts";

export function Queues({ current }: { current: "approvals" | "kyc" }) {
  const approvals = useCall(waitingApprovals);
  const verifications = useCall(waitingVerifications);
  return (
    <Tabs
      name="queue"
      current={current}
      tabs={{
        approvals: `Approvals ${countOf(approvals.data)}`,
        kyc: `Verifications ${countOf(verifications.data)}`,
      }}
    />
  );
}

function countOf(answer: { data: readonly unknown[]; meta: { hasMore?: boolean } } | undefined): string {
  return answer === undefined || answer.data.length === 0
    ? ""
    : `${answer.data.length}${answer.meta.hasMore ? "+" : ""}`;
}
