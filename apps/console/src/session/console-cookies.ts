import type { IncomingMessage, ServerResponse } from "node:http";

/**
 * Cookies that no script reads. Over https their names begin with `__Host-` (RFC 6265bis, 4.1.3.2), so no other host
 * can have set one; they differ from the identity provider's, because cookies ignore ports. Our own pages alone send
 * the session's; a sign-in's is also sent when the identity provider leads back, from another site.
 */
export interface ConsoleCookies {
  session: {
    /** Null when there is none; when there are two of the name, the first. */
    read(req: IncomingMessage): string | null;
    set(res: ServerResponse, value: string, options: { maxAgeSeconds: number }): void;
    clear(res: ServerResponse): void;
  };
  /** What sign-ins that are under way come back to, each by its `state`: tabs do not disturb one another. */
  signIns: {
    read(req: IncomingMessage, state: string): string | null;
    /** Of more than a browser may have, the oldest go. */
    add(req: IncomingMessage, res: ServerResponse, signIn: SignInCookie): void;
    clear(res: ServerResponse, state: string): void;
    clearAll(req: IncomingMessage, res: ServerResponse): void;
  };
}

type SignInCookie = { state: string; value: string; maxAgeSeconds: number };
type Pair = { name: string; value: string };

/** A browser with more sign-ins under way than this has left most of them behind. */
const mostSignIns = 8;
/** The limit of all sign-ins together: a request whose headers are too long is refused. */
const mostCharacters = 6_000;
/** Of a state, which is 43 random characters: enough to tell those of one browser apart. */
const nameCharacters = 16;

export function createConsoleCookies({ isSecure }: { isSecure: boolean }): ConsoleCookies {
  const prefix = `${isSecure ? "__Host-" : ""}console`;
  const signInPrefix = `${prefix}-sign-in-`;
  const nameOf = (state: string): string => signInPrefix + state.replaceAll(/[^\w-]/g, "").slice(0, nameCharacters);
  const write = (res: ServerResponse, name: string, rest: string): void => {
    const sameSite = name === prefix ? "Strict" : "Lax";
    const attributes = `Path=/; HttpOnly; SameSite=${sameSite}${isSecure ? "; Secure" : ""}`;
    res.appendHeader("Set-Cookie", `${name}=${rest}; ${attributes}`);
  };
  const clear = (res: ServerResponse, name: string): void => write(res, name, "; Max-Age=0");
  const find = (req: IncomingMessage, name: string): string | null =>
    pairsOf(req).find((pair) => pair.name === name)?.value ?? null;
  const signInsOf = (req: IncomingMessage): Pair[] => pairsOf(req).filter(({ name }) => name.startsWith(signInPrefix));
  return {
    session: {
      read: (req) => find(req, prefix),
      set: (res, value, { maxAgeSeconds }) => write(res, prefix, `${value}; Max-Age=${maxAgeSeconds}`),
      clear: (res) => clear(res, prefix),
    },
    signIns: {
      read: (req, state) => find(req, nameOf(state)),
      add: (req, res, { state, value, maxAgeSeconds }) => {
        tooManyOf(signInsOf(req), value.length).forEach(({ name }) => clear(res, name));
        write(res, nameOf(state), `${value}; Max-Age=${maxAgeSeconds}`);
      },
      clear: (res, state) => clear(res, nameOf(state)),
      clearAll: (req, res) => signInsOf(req).forEach(({ name }) => clear(res, name)),
    },
  };
}

/** Which have to go for one more. Browsers send the oldest first (RFC 6265, 5.4). */
function tooManyOf(signIns: readonly Pair[], moreCharacters: number): readonly Pair[] {
  const charactersFrom = (first: number): number =>
    signIns.slice(first).reduce((sum, { value }) => sum + value.length, moreCharacters);
  let left = 0;
  while (left < signIns.length && (signIns.length - left >= mostSignIns || charactersFrom(left) > mostCharacters)) {
    left += 1;
  }
  return signIns.slice(0, left);
}

function pairsOf({ headers: { cookie = "" } }: IncomingMessage): Pair[] {
  return cookie.split(";").map((pair) => {
    const [name = "", ...value] = pair.trim().split("=");
    return { name, value: value.join("=") };
  });
}
