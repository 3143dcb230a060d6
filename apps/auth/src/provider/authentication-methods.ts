import { hasSecondFactor } from "@gateway/platform/auth";
import type { InteractionResults } from "oidc-provider";
import type { BrowserSession } from "../browser/browser-session.ts";

/** The `acr` for two factors: the profile of the identity federations of universities. */
export const twoFactors = "https://refeds.org/profile/mfa";

/** Names of methods from RFC 8176, which has none for a mailed link or a recovery code. */
const methodsOf: Readonly<Record<BrowserSession["method"], readonly string[]>> = {
  password: ["pwd"],
  passkey: ["hwk", "user"],
  link: [],
};

/** The claims about a sign-in for ID tokens: `auth_time`, `amr` and, with two factors, `acr`. */
export function loginOf(session: BrowserSession): NonNullable<InteractionResults["login"]> {
  const { userId, method, secondFactor, authenticatedAtMs } = session;
  const isStrong = hasSecondFactor(session);
  return {
    accountId: userId,
    ts: Math.floor(authenticatedAtMs / 1000),
    amr: [...methodsOf[method], ...(secondFactor === "totp" ? ["otp"] : []), ...(isStrong ? ["mfa"] : [])],
    ...(isStrong && { acr: twoFactors }),
  };
}
