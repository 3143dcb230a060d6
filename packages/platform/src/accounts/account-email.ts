import { foldEmail } from "../auth/index.ts";

/** A requested address that is not confirmed yet. It expires at `expiresAt`. */
export type PendingEmail = { email: string; expiresAt: Date };

/** Effect of a requested address: none, a confirmation is needed, or the pending address is withdrawn. */
export type EmailChange = "none" | "asked" | "withdrawn";

/**
 * A request may be repeated. Requesting the current address withdraws the pending one. Letter case does not distinguish
 * addresses.
 */
export function decideEmailChange(
  account: { email: string; pendingEmail: PendingEmail | null },
  { email, nowMs }: { email: string; nowMs: number },
): EmailChange {
  const pending = livingEmail(account.pendingEmail, nowMs);
  if (foldEmail(email) === foldEmail(account.email)) {
    return pending === null ? "none" : "withdrawn";
  }
  return pending !== null && foldEmail(email) === foldEmail(pending) ? "none" : "asked";
}

export function livingEmail(pending: PendingEmail | null, nowMs: number): string | null {
  return pending !== null && pending.expiresAt.getTime() > nowMs ? pending.email : null;
}
