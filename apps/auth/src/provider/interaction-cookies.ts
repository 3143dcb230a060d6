import type { KoaContextWithOIDC } from "oidc-provider";

type Cookies = KoaContextWithOIDC["cookies"];

/** A browser with more sign-ins under way than this has left most of them behind. */
const maxUnderWay = 20;

/**
 * The library binds an interaction by two cookies, each for one path. `__Host-` needs all paths, so here both are one,
 * named after the interaction: two tabs do not disturb one another.
 */
export function perInteraction(cookies: Cookies, { name, path }: { name: string; path: string }): Cookies {
  // The new object inherits all members of `cookies`.
  const own = Object.create(cookies) as Cookies;
  own.get = (asked, options) => cookies.get(asked === name ? `${name}-${uidIn(path)}` : asked, options);
  own.set = (asked, value, options) => {
    if (asked !== name) {
      return cookies.set(asked, value, options);
    }
    if (value) {
      leftBehind(cookies, name).forEach((left) => cookies.set(left, null, { ...options, path: "/" }));
    }
    return cookies.set(`${name}-${uidIn(options?.path ?? path)}`, value, { ...options, path: "/" });
  };
  return own;
}

/** `/api/v1/authorize/<uid>`, `/interaction/<uid>` and what is below. */
function uidIn(path: string): string {
  return /\/(?:authorize|interaction)\/([\w-]{20,64})(?:\/|$)/.exec(path)?.[1] ?? "none";
}

/** Browsers send the oldest first (RFC 6265, 5.4), and only as many go as make room for one more. */
function leftBehind({ request }: Cookies, name: string): string[] {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const underWay = pairs.filter((pair) => pair.startsWith(`${name}-`)).map((pair) => pair.split("=", 1)[0] ?? "");
  return underWay.slice(0, Math.max(0, underWay.length - maxUnderWay + 1));
}
