import { createHmac, timingSafeEqual } from "node:crypto";

const stepMs = 30_000;
const digits = 6;
/** The length that RFC 4226 recommends for SHA-1, which every app accepts. */
export const totpSecretBytes = 20;

/** The code of a step (RFC 6238 with SHA-1; RFC 4226, 5.3). */
export function totpCodeOf(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", secret).update(counter).digest();
  const number = mac.readUInt32BE((mac.at(-1) ?? 0) & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The step of this code, for a clock that is up to one step off; null when there is none. */
export function findTotpStep(secret: Uint8Array, code: string, nowMs: number): number | null {
  const now = Math.floor(nowMs / stepMs);
  return [now, now - 1, now + 1].find((step) => isSame(totpCodeOf(secret, step), code)) ?? null;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Base32 (RFC 4648, 6) without padding, for users who type the secret in. */
export function base32Of(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((group) => alphabet[Number.parseInt(group.padEnd(5, "0"), 2)]).join("");
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
