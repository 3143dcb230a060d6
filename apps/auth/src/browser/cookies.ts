import type { IncomingMessage, ServerResponse } from "node:http";

type CookieName = "session" | "browser" | "device";

export type Cookies = ReturnType<typeof createCookies>;

/**
 * Cookies out of reach of scripts and of other sites' forms. Over https their names begin with `__Host-` (RFC 6265bis,
 * 4.1.3.2), so no other host, even under the same domain, can have set one.
 */
export function createCookies({ isSecure }: { isSecure: boolean }) {
  const fullName = (name: CookieName): string => (isSecure ? `__Host-${name}` : name);
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  const write = (res: ServerResponse, name: CookieName, rest: string): void => {
    const start = `${fullName(name)}=`;
    const others = [res.getHeader("Set-Cookie") ?? []].flat().filter((cookie) => !String(cookie).startsWith(start));
    res.setHeader("Set-Cookie", [...others.map(String), `${start}${rest}; ${attributes}`]);
  };
  return {
    /** Null when there is none; when there are two of the name, the first. */
    read: (req: IncomingMessage, name: CookieName): string | null => {
      const start = `${fullName(name)}=`;
      const pairs = (req.headers.cookie ?? "").split(";").map((pair) => pair.trim());
      return pairs.find((pair) => pair.startsWith(start))?.slice(start.length) ?? null;
    },
    set: (res: ServerResponse, name: CookieName, value: string, { maxAgeSeconds }: { maxAgeSeconds: number }): void =>
      write(res, name, `${value}; Max-Age=${maxAgeSeconds}`),
    clear: (res: ServerResponse, name: CookieName): void => write(res, name, "; Max-Age=0"),
  };
}
