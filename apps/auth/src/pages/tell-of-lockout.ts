import type { Verdict } from "../browser/throttle.ts";
import { mailedUrl } from "./mailed-link.ts";
import type { PageDeps } from "./page.ts";

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
