import type { IncomingMessage, ServerResponse } from "node:http";

type SignInCookie = { state: string; value: string; maxAgeSeconds: number };
type Pair = { name: string; value: string };

/** A browser with more sign-ins in flight than this has abandoned most of them. */
const mostSignIns = 8;
/** The limit of all sign-ins together, because a request whose headers are too long is refused. */
const mostCharacters = 6_000;
/** The part of a state in the name. A state has 43 random characters, and 16 distinguish those of one browser. */
const nameCharacters = 16;

export type ConsoleCookies = ReturnType<typeof createConsoleCookies>;

/**
 * Cookies that scripts cannot read. Over https their names begin with `__Host-` (RFC 6265bis, 4.1.3.2), so other hosts
 * cannot set them. They differ from the identity provider's names, because cookies ignore ports. The browser sends the
 * session's cookie only from our own pages. It also sends a sign-in's cookie when the identity provider leads back,
 * from another site.
 */
export function createConsoleCookies({ isSecure }: { isSecure: boolean }) {
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
      /** Null when it is missing. Of two cookies with the name, the first. */
      read: (req: IncomingMessage) => find(req, prefix),
      set: (res: ServerResponse, value: string, { maxAgeSeconds }: { maxAgeSeconds: number }) =>
        write(res, prefix, `${value}; Max-Age=${maxAgeSeconds}`),
      clear: (res: ServerResponse) => clear(res, prefix),
    },
    /** The state of sign-ins in flight, each by its `state`, so that tabs do not disturb one another. */
    signIns: {
      read: (req: IncomingMessage, state: string) => find(req, nameOf(state)),
      /** When a browser has too many of them, the oldest are removed. */
      add: (req: IncomingMessage, res: ServerResponse, { state, value, maxAgeSeconds }: SignInCookie) => {
        tooManyOf(signInsOf(req), value.length).forEach(({ name }) => clear(res, name));
        write(res, nameOf(state), `${value}; Max-Age=${maxAgeSeconds}`);
      },
      clear: (res: ServerResponse, state: string) => clear(res, nameOf(state)),
      clearAll: (req: IncomingMessage, res: ServerResponse) => signInsOf(req).forEach(({ name }) => clear(res, name)),
    },
  };
}

/** The sign-ins that are removed for one more. Browsers send the oldest first (RFC 6265, 5.4). */
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
