import { useEffect, useState } from "react";
import { waitingApprovals, waitingVerifications } from "../data/waiting.ts";
import { useCall } from "../parts/call/use-call.ts";

/** A decision causes no event. Every page of the account sends these requests, so the interval is long. */
const everyMs = 120_000;

/** The number of decisions that wait in the inbox, up to a page of each kind: ` 2`, or an empty string. */
export function useWaitingCount(): string {
  const isWanted = useBehindScreen();
  const answers = [
    useCall(waitingApprovals, { isWanted, everyMs }).data,
    useCall(waitingVerifications, { isWanted, everyMs }).data,
  ];
  const count = answers.reduce((sum, answer) => sum + (answer?.data.length ?? 0), 0);
  const isMore = answers.some((answer) => answer?.meta.hasMore);
  return count === 0 ? "" : ` ${count}${isMore ? "+" : ""}`;
}

/** The requests wait this long, so that opening one address after another does not use the 300 reads a minute. */
const behindMs = 5_000;

/** True when the screen has sent its own requests and the tab has been visible. */
function useBehindScreen(): boolean {
  const [isBehind, setIsBehind] = useState(false);
  useEffect(() => {
    const look = (): void => setIsBehind((was) => was || !document.hidden);
    const idle = setTimeout(() => {
      look();
      document.addEventListener("visibilitychange", look);
    }, behindMs);
    return () => {
      clearTimeout(idle);
      document.removeEventListener("visibilitychange", look);
    };
  }, []);
  return isBehind;
}
