import type { IncomingMessage, ServerResponse } from "node:http";

/** `session`: who is signed in. `signIn`: what a sign-in that is under way comes back to. */
export type ConsoleCookie = keyof typeof sameSite;

/**
 * No script reads them. Over https their names begin with `__Host-` (RFC 6265bis, 4.1.3.2), so no other host can have set one. Not named as
 * the identity provider's, for cookies ignore ports. The session's is sent by our own pages alone; the sign-in's also when the identity provider
 * leads back, which is another site.
 */
export interface ConsoleCookies {
  /** Null when there is none; when there are two of the name, the first. */
  read(req: IncomingMessage, name: ConsoleCookie): string | null;
  set(res: ServerResponse, name: ConsoleCookie, value: string, options: { maxAgeSeconds: number }): void;
  clear(res: ServerResponse, name: ConsoleCookie): void;
}

const sameSite = { session: "Strict", signIn: "Lax" } as const;
const names = { session: "console", signIn: "console-sign-in" } as const;

export function createConsoleCookies({ isSecure }: { isSecure: boolean }): ConsoleCookies {
  const fullName = (name: ConsoleCookie): string => `${isSecure ? "__Host-" : ""}${names[name]}`;
  const write = (res: ServerResponse, name: ConsoleCookie, rest: string): void => {
    const attributes = `Path=/; HttpOnly; SameSite=${sameSite[name]}${isSecure ? "; Secure" : ""}`;
    res.appendHeader("Set-Cookie", `${fullName(name)}=${rest}; ${attributes}`);
  };
  return {
    read: (req, name) => {
      const start = `${fullName(name)}=`;
      const pairs = (req.headers.cookie ?? "").split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
    },
    set: (res, name, value, { maxAgeSeconds }) => write(res, name, `${value}; Max-Age=${maxAgeSeconds}`),
    clear: (res, name) => write(res, name, "; Max-Age=0"),
  };
}
