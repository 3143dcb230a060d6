import type { KoaContextWithOIDC } from "oidc-provider";

type Cookies = KoaContextWithOIDC["cookies"];

/** A browser with more sign-ins in flight than this has abandoned most of them. */
const maxUnderWay = 20;

/**
 * The library binds an interaction by two cookies, each for one path. `__Host-` requires the path `/`, so one cookie
 * replaces both. It is named after the interaction, so that two tabs do not disturb one another.
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

/** The uid in `/api/v1/authorize/<uid>`, `/interaction/<uid>` and the paths below them. */
function uidIn(path: string): string {
  return /\/(?:authorize|interaction)\/([\w-]{20,64})(?:\/|$)/.exec(path)?.[1] ?? "none";
}

/** Browsers send the oldest cookie first (RFC 6265, 5.4). Only as many are removed as make room for one more. */
function leftBehind({ request }: Cookies, name: string): string[] {
  const pairs = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const underWay = pairs.filter((pair) => pair.startsWith(`${name}-`)).map((pair) => pair.split("=", 1)[0] ?? "");
  return underWay.slice(0, Math.max(0, underWay.length - maxUnderWay + 1));
}
