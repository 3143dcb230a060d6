import type { Cipher } from "@gateway/kernel";
import { foldEmail } from "@gateway/platform/auth";
import { createHmac } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Cookies } from "./cookies.ts";

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/** Browsers do not keep a cookie longer. */
const maxAgeSeconds = 400 * 24 * 60 * 60;

/**
 * Browsers that a user has signed in with before: guesses from elsewhere do not lock them out. The cookie is an HMAC
 * over the browser's own cookie and the address, so it is invalid in another browser.
 */
export function createKnownDevices({ cookies, cipher }: { cookies: Cookies; cipher: Pick<Cipher, "deriveKey"> }) {
  const key = cipher.deriveKey("known devices");
  const nameOf = (browser: string, email: string): string =>
    createHmac("sha256", key)
      .update(`${browser} ${foldEmail(email)}`)
      .digest("base64url");
  return {
    /**
     * The name under which attempts from the device are counted. Null unless the last sign-in on the device used this
     * address.
     */
    nameOf: (req: IncomingMessage, email: string): string | null => {
      const sent = cookies.read(req, "device");
      const browser = cookies.read(req, "browser");
      return sent !== null && browser !== null && sent === nameOf(browser, email) ? sent : null;
    },
    /** `browser`: the value of its own cookie. */
    remember: (res: ServerResponse, { browser, email }: { browser: string; email: string }): void =>
      cookies.set(res, "device", nameOf(browser, email), { maxAgeSeconds }),
  };
}
