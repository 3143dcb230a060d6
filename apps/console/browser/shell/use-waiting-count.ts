import { useEffect, useState } from "react";
import { waitingApprovals, waitingVerifications } from "../data/waiting.ts";
import { useCall } from "../parts/call/use-call.ts";

/** No event tells of a decision. Every page of the account asks this, so it asks seldom. */
const everyMs = 120_000;

/** How many decisions wait in the inbox, up to a page of each kind: ` 2`, and nothing of none. */
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

/** Who opens one address after another asks nothing for this: an account has 300 reads a minute. */
const behindMs = 5_000;

/** The screen asks first; and a hidden tab asks nothing, it begins when it is looked at. */
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
