import { foldEmail } from "../auth/index.ts";

/** An address that was asked for and is not confirmed; worth nothing from `expiresAt` on. */
export type PendingEmail = { email: string; expiresAt: Date };

/** What asking for an address does: nothing, it has to be confirmed, or what waited to be confirmed is over. */
export type EmailChange = "none" | "asked" | "withdrawn";

/** A request may be repeated; asking for the address in use ends what waits. Letter case tells no addresses apart. */
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
