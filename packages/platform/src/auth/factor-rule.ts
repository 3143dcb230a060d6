import type { SecondFactor, Session } from "./session.ts";

/** The second factors of a user. Recovery codes belong to the app. */
export type FactorsHeld = { hasApp: boolean; passkeyCount: number };
export type Proof = Pick<Session, "method" | "secondFactor">;
export const factorChanges = [
  "add_app",
  "renew_recovery_codes",
  "remove_app",
  "add_passkey",
  "rename_passkey",
  "remove_passkey",
] as const;
export type FactorChange = (typeof factorChanges)[number];

/** `proves`: what the session has proved by the change itself. */
export type FactorVerdict = { isAllowed: false } | { isAllowed: true; proves: SecondFactor | null };

export function hasFactor({ hasApp, passkeyCount }: FactorsHeld): boolean {
  return hasApp || passkeyCount > 0;
}

/** Whether the session proved a second factor that the user still has. A passkey is two factors. */
export function provesFactor(held: FactorsHeld, { method, secondFactor }: Proof): boolean {
  return (method === "passkey" && held.passkeyCount > 0) || (secondFactor !== null && held.hasApp);
}

/** Whether a session may change what protects the user: a user with a factor must have proved one. */
export function isProvedEnough(held: FactorsHeld, proof: Proof): boolean {
  return !hasFactor(held) || provesFactor(held, proof);
}

/** A session is raised only by the first factor of a user who has none. Any other is proved at a sign-in. */
export function judgeFactorChange(held: FactorsHeld, proof: Proof, change: FactorChange): FactorVerdict {
  if (!isProvedEnough(held, proof)) {
    return { isAllowed: false };
  }
  return { isAllowed: true, proves: change === "add_app" && !hasFactor(held) ? "totp" : null };
}
