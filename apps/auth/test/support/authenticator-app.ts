import { totpCodeOf } from "@gateway/platform/auth";
import type { Browser, BrowserPage } from "./browser.ts";
import { formAt, type TestPages } from "./pages.ts";

/** An app on a user's phone. */
export type AuthenticatorApp = {
  /** The code of the step after the last one, because a code counts once. */
  nextCode(): string;
  /** The code that it showed last. */
  code(): string;
  recoveryCodes: string[];
};

const stepMs = 30_000;

/** Sets up an app through the pages of the signed-in user, with the key in letters. */
export async function setUpAuthenticator(
  pages: TestPages,
  browser: Browser,
  start = "/account/authenticator",
): Promise<AuthenticatorApp & { page: BrowserPage }> {
  const setUp = await browser.open(start);
  const app = readKey(pages, setUp.html);
  const page = await browser.submit(formAt(setUp, "/account/authenticator"), { code: app.code() });
  const recoveryCodes = [...page.html.matchAll(/<code>([A-Z2-7-]{19})<\/code>/g)].map(([, code = ""]) => code);
  recoveryCodes.forEach((code) => pages.auth.watch.note(code));
  return { ...app, recoveryCodes, page };
}

/** An app into which a user typed the key of the page. */
export function readKey({ clock, auth }: TestPages, html: string): AuthenticatorApp {
  const key = auth.watch.note(
    (/<code class="key">\s*([A-Z2-7 ]+?)\s*<\/code>/.exec(html)?.[1] ?? "").replaceAll(" ", ""),
  );
  const secret = bytesOf(key);
  const code = (): string => totpCodeOf(secret, Math.floor(clock.now() / stepMs));
  return {
    code,
    nextCode: () => {
      clock.advance(stepMs);
      return code();
    },
    recoveryCodes: [],
  };
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

function bytesOf(base32: string): Buffer {
  const bits = Array.from(base32, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
