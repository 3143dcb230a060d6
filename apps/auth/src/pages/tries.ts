import { rateLimitHeaders } from "@gateway/limits";
import type { Verdict } from "../browser/throttle.ts";
import { wholeForm, type Faults } from "../views/form.ts";
import { mailedUrl } from "./mailed-link.ts";
import { Refusal, type PageDeps, type Visit } from "./page.ts";

/** Answers how many tries are left in place of requests. A try that is given back is left again. */
export function tellLimit({ res }: Pick<Visit, "res">, verdict: Verdict): Verdict {
  if (verdict.kind === "storeAway") {
    return verdict;
  }
  const { state } = verdict;
  res.set(rateLimitHeaders(state));
  if (verdict.kind === "refused") {
    return verdict;
  }
  const giveBack = async (): Promise<void> => {
    await verdict.giveBack();
    res.set(rateLimitHeaders({ ...state, remaining: state.remaining + 1 }));
  };
  return { ...verdict, giveBack };
}

/** Throws a Refusal when attempts cannot be counted, because the design allows no sign-in without its limit. */
export function refuse(
  verdict: Exclude<Verdict, { kind: "allowed" }>,
  text: string,
): { status: 429; retryAfterSeconds: number; faults: Faults } {
  if (verdict.kind === "storeAway") {
    throw new Refusal(503, {
      title: "Signing in is not possible at this moment",
      message: "A part of our system is not responding. Nothing was changed. Try again in a minute.",
      retryAfterSeconds: 30,
    });
  }
  const { retryAfterSeconds } = verdict;
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait = minutes === 1 ? "a minute" : `${minutes} minutes`;
  return { status: 429, retryAfterSeconds, faults: { [wholeForm]: text.replace("%s", wait) } };
}

/** The user of the address, if it is a lockout. Afterwards, or its time would tell that the address has a user. */
export function tellOfLockout(
  deps: PageDeps,
  verdict: Verdict,
  { email, clientAddress, isByCodes }: { email: string; clientAddress: string | null; isByCodes: boolean },
): void {
  if (verdict.kind !== "refused" || !verdict.isLockout) {
    return;
  }
  deps.afterwards.do(() =>
    deps.platform.transaction(async ({ auth, mails }) => {
      const user = await auth.users.findByEmail(email);
      if (user) {
        const url = mailedUrl(deps, "/password/forgotten");
        await mails.notify([user.email], {
          kind: "sign_in_locked",
          url,
          clientAddress,
          ...(isByCodes && { isByCodes }),
        });
      }
    }),
  );
}
