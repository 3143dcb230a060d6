import { useSession } from "../page/session-context.tsx";
import { useCall } from "./use-call.ts";

/** How far this account's clock goes before the machine's, in ms: deadlines in the sandbox count by that clock. */
export function useAheadMs(): number {
  const { environment } = useSession();
  const clock = useCall({ operationId: "getSandboxClock" }, { isWanted: environment === "sandbox" });
  return (clock.data?.data.aheadSeconds ?? 0) * 1000;
}
