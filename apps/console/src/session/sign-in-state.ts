import type { Cipher, Clock } from "@gateway/kernel";

/** The values that a browser takes to the identity provider and back, so that a code belongs to its own request. */
type SignInState = {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** The secret of the browser's former session, which the new one replaces. */
  previous: string | null;
};

export type SignInStates = ReturnType<typeof createSignInStates>;

export const signInSeconds = 10 * 60;
const place = "console sign-in";

/** A state in a cookie, sealed because it contains the secret of a session. */
export function createSignInStates({ cipher, clock }: { cipher: Cipher; clock: Clock }) {
  return {
    seal: (state: SignInState) =>
      cipher.seal(Buffer.from(JSON.stringify({ ...state, sealedAtMs: clock.now() })), place).toString("base64url"),
    /** Null for a string that was not sealed here, or that is older than a sign-in may take. */
    open: (text: string): SignInState | null => {
      try {
        // The cast holds because only `seal` above makes such a string.
        const { sealedAtMs, ...state } = JSON.parse(
          cipher.open(Buffer.from(text, "base64url"), place).toString("utf8"),
        ) as SignInState & { sealedAtMs: number };
        return clock.now() - sealedAtMs < signInSeconds * 1000 ? state : null;
      } catch {
        // Any caller can send any cookie.
        return null;
      }
    },
  };
}
