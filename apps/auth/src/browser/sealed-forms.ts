import type { Cipher, Clock } from "@gateway/kernel";

export type SealedForms = ReturnType<typeof createSealedForms>;

export type SealedContents = {
  /** A user whose password was entered correctly, and when that password was set. */
  password: { userId: string; passwordSetAtMs: number | null };
  /** The secret of an authenticator app that is being set up, in base64. */
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

/** Values that a form carries to the next page. Only the server can read or change them, and nothing is stored. */
export function createSealedForms({ cipher, clock }: { cipher: Cipher; clock: Clock }) {
  const contextOf = (name: string, browser: string): string => `form ${name} ${browser}`;
  return {
    seal: <Name extends keyof SealedContents>(name: Name, browser: string, content: SealedContents[Name]): string => {
      const text = JSON.stringify({ content, sealedAtMs: clock.now() });
      return cipher.seal(Buffer.from(text), contextOf(name, browser)).toString("base64url");
    },
    /** Null for a value that is older than 15 minutes, was made for another browser, or was not sealed here. */
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
    // The browser sent a value that was not sealed here.
    return null;
  }
}
