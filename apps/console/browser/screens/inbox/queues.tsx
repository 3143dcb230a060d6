import { Tabs } from "../../parts/shown/screen-header.tsx";
import { useCall } from "../../parts/call/use-call.ts";
import { waitingApprovals, waitingVerifications } from "../../data/waiting.ts";
import { loneKey, useKeyDown } from "../../parts/page/keyboard.ts";

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

type Keys = { approve(): void; reject(): void };

/** `a` and `r` open the dialog that asks once more; null: there is nothing to decide for this person. */
export function useDecideKeys(keys: Keys | null): void {
  useKeyDown((event) => {
    const key = loneKey(event);
    const decide = key === "a" ? keys?.approve : key === "r" ? keys?.reject : undefined;
    decide?.();
    return decide !== undefined;
  });
}
