import type { Cipher } from "@gateway/kernel";
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cookies } from "./cookies.ts";

/** A browser, signed in or not, from which a form must be sent back. */
export type Origin = {
  /** The value of its cookie: 256 random bits in base64url. */
  browser: string;
  sessionId: string | null;
};

export type Csrf = ReturnType<typeof createCsrf>;

/** Browsers do not keep a cookie longer. */
const maxAgeSeconds = 400 * 24 * 60 * 60;
const browserPattern = /^[\w-]{43}$/;

/**
 * Shows that a form comes from a page that we gave to this very browser, in this very session. The signed double-submit
 * cookie. The token is an HMAC over the browser's cookie and its session, so a token from
 * another browser, or from before the sign-in, is invalid. The headers `Origin` and `Sec-Fetch-Site` are checked too.
 */
export function createCsrf(deps: { cookies: Cookies; cipher: Pick<Cipher, "deriveKey">; origin: string }) {
  const key = deps.cipher.deriveKey("csrf");
  /** Null before the browser's first page. */
  const findBrowser = (req: IncomingMessage): string | null => {
    const value = deps.cookies.read(req, "browser");
    return value !== null && browserPattern.test(value) ? value : null;
  };
  const tokenOf = ({ browser, sessionId }: Origin): string =>
    createHmac("sha256", key)
      .update(`${browser} ${sessionId ?? ""}`)
      .digest("base64url");
  return {
    findBrowser,
    ensureBrowser: (req: IncomingMessage, res: ServerResponse): string => {
      const found = findBrowser(req);
      if (found !== null) {
        return found;
      }
      const browser = randomBytes(32).toString("base64url");
      deps.cookies.set(res, "browser", browser, { maxAgeSeconds });
      return browser;
    },
    tokenOf,
    isOurs: (req: IncomingMessage, token: string | null, of: Origin): boolean =>
      token !== null && isSame(token, tokenOf(of)) && isSameOrigin(req, deps.origin),
  };
}

/** Browsers send both headers with every form. A program that sends neither still needs the token. */
function isSameOrigin(req: IncomingMessage, origin: string): boolean {
  const site = req.headers["sec-fetch-site"];
  return (req.headers.origin ?? origin) === origin && (site ?? "same-origin") === "same-origin";
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
