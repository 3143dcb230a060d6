import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decideEmailChange, livingEmail, type PendingEmail } from "../src/accounts/index.ts";

const nowMs = Date.UTC(2026, 2, 9, 12);
const addresses = ["ada@example.com", "ADA@example.com", "grace@example.com", "Grace@Example.COM", "eve@example.com"];
const address = fc.constantFrom(...addresses);
const pending = fc.option(
  fc.record({ email: address, expiresAt: fc.constantFrom(-1, 0, 1, 86_400_000).map((ms) => new Date(nowMs + ms)) }),
);
const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The account after the change, as its row would be. */
function after(account: { email: string; pendingEmail: PendingEmail | null }, email: string): typeof account {
  const change = decideEmailChange(account, { email, nowMs });
  const asked = { email, expiresAt: new Date(nowMs + 1) };
  const left = { none: account.pendingEmail, asked, withdrawn: null };
  return { ...account, pendingEmail: left[change] };
}

describe("asking for an address", () => {
  test("never changes the address that holds, and leaves just the one waiting that was asked for", () => {
    fc.assert(
      fc.property(address, pending, address, (email, pendingEmail, asked) => {
        const result = after({ email, pendingEmail }, asked);
        const waiting = livingEmail(result.pendingEmail, nowMs);
        expect(result.email).toBe(email);
        expect(isSame(asked, email) ? waiting === null : isSame(waiting ?? "", asked)).toBe(true);
      }),
    );
  });

  test("a second time does nothing", () => {
    fc.assert(
      fc.property(address, pending, address, (email, pendingEmail, asked) => {
        expect(decideEmailChange(after({ email, pendingEmail }, asked), { email: asked, nowMs })).toBe("none");
      }),
    );
  });

  test("for the one that holds ends what waits, where something does", () => {
    fc.assert(
      fc.property(address, pending, (email, pendingEmail) => {
        const change = livingEmail(pendingEmail, nowMs) === null ? "none" : "withdrawn";
        expect(decideEmailChange({ email, pendingEmail }, { email: email.toUpperCase(), nowMs })).toBe(change);
      }),
    );
  });
});
