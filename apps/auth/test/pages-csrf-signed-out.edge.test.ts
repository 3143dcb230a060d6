import { expect, test } from "vitest";
import type { Browser } from "./support/browser.ts";
import { usePages } from "./support/use-pages.ts";
import { csrfOf } from "./support/pages.ts";

const pages = usePages();

const fields = { email: "nobody@example.com", password: "not the password" };
/** Belongs to the page that the browser has open now. */
const tokenOf = async (browser: Browser, path: string): Promise<string> => csrfOf(await browser.open(path));

const send = (browser: Browser, path: string, form: Record<string, string>): Promise<Response> =>
  fetch(`http://127.0.0.1:${pages.auth.ports[0]}${path}`, {
    method: "POST",
    redirect: "manual",
    body: new URLSearchParams(form),
    headers: { Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
  });

test.each(["/sign-in", "/sign-up", "/password/forgotten"])(
  "a form to %s of a browser that nobody is signed in with needs its token, so that no site signs it in as another",
  async (path) => {
    const [browser, other] = [pages.openBrowser(), pages.openBrowser()];
    const token = await tokenOf(browser, path);
    expect((await send(browser, path, fields)).status).toBe(403);
    expect((await send(browser, path, { ...fields, csrf: await tokenOf(other, path) })).status).toBe(403);
    expect((await send(browser, path, { ...fields, csrf: token })).status).not.toBe(403);
  },
);
