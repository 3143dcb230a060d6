import type { Cipher, Clock } from "@gateway/kernel";

/** What a browser takes along to the identity provider and back, for the code to be of its own request. */
export type SignInState = {
  state: string;
  nonce: string;
  codeVerifier: string;
  returnTo: string;
  /** The secret of the session that it had, which the new one takes the place of. */
  previous: string | null;
};

/** In a cookie, sealed: it holds what a session is worth. */
export interface SignInStates {
  seal(state: SignInState): string;
  /** Null for what was not sealed here, or longer ago than a sign-in may take. */
  open(text: string): SignInState | null;
}

export const signInSeconds = 10 * 60;
const place = "console sign-in";

export function createSignInStates({
  cipher,
  clock,
}: {
  cipher: Pick<Cipher, "seal" | "open">;
  clock: Clock;
}): SignInStates {
  return {
    seal: (state) =>
      cipher.seal(Buffer.from(JSON.stringify({ ...state, sealedAtMs: clock.now() })), place).toString("base64url"),
    open: (text) => {
      try {
        // Sealed above: the seal proves its shape.
        const { sealedAtMs, ...state } = JSON.parse(
          cipher.open(Buffer.from(text, "base64url"), place).toString("utf8"),
        ) as SignInState & { sealedAtMs: number };
        return clock.now() - sealedAtMs < signInSeconds * 1000 ? state : null;
      } catch {
        // Anybody sends any cookie.
        return null;
      }
    },
  };
}
