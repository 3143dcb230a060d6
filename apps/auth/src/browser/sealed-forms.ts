import type { Cipher, Clock } from "@gateway/kernel";

/** Values that a form carries to the next page, which nobody may read or write meanwhile. Nothing is stored. */
export interface SealedForms {
  seal<Name extends keyof SealedContents>(name: Name, browser: string, content: SealedContents[Name]): string;
  /** Null for what is older than 15 minutes, was made for another browser, or is no such thing. */
  open<Name extends keyof SealedContents>(
    name: Name,
    browser: string,
    sealed: string | null,
  ): SealedContents[Name] | null;
}

export type SealedContents = {
  /** Somebody knew the password, as it was set then. */
  password: { userId: string; passwordSetAtMs: number | null };
  /** What an authenticator app is being set up with, in base64. */
  authenticator: { userId: string; secret: string };
  /** A new password that waits for a second factor. */
  reset: {
    token: string;
    passwordHash: string;
    disconnects: boolean;
    next: string | null;
  };
};

const lifeMs = 15 * 60_000;

export function createSealedForms({ cipher, clock }: { cipher: Cipher; clock: Clock }): SealedForms {
  const contextOf = (name: string, browser: string): string => `form ${name} ${browser}`;
  return {
    seal: (name, browser, content) => {
      const text = JSON.stringify({ content, sealedAtMs: clock.now() });
      return cipher.seal(Buffer.from(text), contextOf(name, browser)).toString("base64url");
    },
    open: <Name extends keyof SealedContents>(name: Name, browser: string, sealed: string | null) => {
      const text = sealed && unseal(cipher, sealed, contextOf(name, browser));
      // Sealed by `seal` under this very name, and the seal is authenticated.
      const known = text ? (JSON.parse(text) as { content: SealedContents[Name]; sealedAtMs: number }) : null;
      return known && clock.now() - known.sealedAtMs < lifeMs ? known.content : null;
    },
  };
}

function unseal(cipher: Cipher, sealed: string, context: string): string | null {
  try {
    return cipher.open(Buffer.from(sealed, "base64url"), context).toString();
  } catch {
    // Whatever somebody has put there.
    return null;
  }
}
