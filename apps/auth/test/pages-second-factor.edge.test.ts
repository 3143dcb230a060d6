import decodeQR from "qr/decode.js";
import { decodeJwt } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { readKey, setUpAuthenticator } from "./support/authenticator-app.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import type { HtmlForm } from "./support/html-form.ts";
import { createOauthClient, newVerifier } from "./support/oauth-client.ts";
import { comparable, formAt, goodPassword, pathOf, textOf } from "./support/pages.ts";
import type { Person } from "./support/test-auth.ts";
import { usePages } from "./support/use-pages.ts";

const minuteMs = 60_000;
const mfa = "https://refeds.org/profile/mfa";

describe("a second factor", () => {
  const pages = usePages();
  let person: Person;
  let here: Browser;

  beforeEach(async () => {
    person = await pages.auth.createPerson();
    here = pages.openBrowser();
    await pages.signIn(here, person);
  });

  const elsewhere = async (): Promise<{ browser: Browser; page: BrowserPage }> => {
    const browser = pages.openBrowser();
    return { browser, page: await pages.signIn(browser, person) };
  };
  const find = () => pages.auth.platform.auth.authenticators.find(person.user.id);
  const isSignedIn = async (browser: Browser): Promise<boolean> =>
    pathOf(await browser.open("/account")) === "/account";

  describe("is set up", () => {
    test("with what the QR code says, as the key in letters does, and a code of it", async () => {
      const page = await here.open("/account/authenticator");
      const uri = new URL(readQrCode(page.html));
      const key = readKey(pages, page.html);
      expect(decodeURIComponent(uri.pathname)).toBe(
        `/Gateway (${new URL(pages.auth.origin).host.replace(":", " ")}):${person.user.email}`,
      );
      expect(uri.host).toBe("totp");
      expect(page.html.replaceAll(" ", "")).toContain(uri.searchParams.get("secret"));
      expect(page.html).not.toContain("<script");
      const wrong = await here.submit(formAt(page, "/account/authenticator"), { code: "000000" });
      expect(wrong.status).toBe(422);
      expect(await find()).toBeNull();
      // The same secret again: the app has it.
      const done = await here.submit(formAt(wrong, "/account/authenticator"), { code: key.code() });
      expect(textOf(done)).toContain("Keep your recovery codes");
      expect(await find()).toMatchObject({ recoveryCodesLeft: 10 });
      expect((await pages.mailsTo(person.user.email)).map(({ kind }) => kind)).toEqual(["authenticator_added"]);
    });

    test("once, from the page that this browser has open, within 15 minutes", async () => {
      const page = await here.open("/account/authenticator");
      const { code } = readKey(pages, page.html);
      const form = formAt(page, "/account/authenticator");
      const { browser: other } = await elsewhere();
      const theirs = formAt(await other.open("/account/authenticator"), "/account/authenticator");
      const mixed = await other.submit(theirs, { secret: valueOf(form, "secret"), code: code() });
      expect(mixed.status).toBe(422);
      pages.clock.advance(14 * minuteMs);
      await here.submit(form, { code: code() });
      expect(await find()).not.toBeNull();
    });

    test("and asked for from then on to change anything that protects the account, also in a session of before", async () => {
      const { browser: older } = await elsewhere();
      const app = await setUpAuthenticator(pages, here);
      expect(pathOf(await here.open("/account/authenticator"))).toBe("/account/authenticator");
      const again = await older.open("/account/authenticator");
      expect(pathOf(again)).toBe("/sign-in/again");
      const question = await older.submit(again.forms[0], { password: person.password });
      const page = await older.submit(formAt(question, "/sign-in/again/code"), { code: app.nextCode() });
      expect(pathOf(page)).toBe("/account/authenticator");
    });
  });

  describe("signing in", () => {
    test("asks for a code after the password, and takes each once", async () => {
      const app = await setUpAuthenticator(pages, here);
      const { browser, page } = await elsewhere();
      expect(page.status).toBe(200);
      expect(await isSignedIn(browser)).toBe(false);
      const form = formAt(page, "/sign-in/code");
      const used = await browser.submit(form, { code: app.code() });
      expect(used.status).toBe(422);
      const code = app.nextCode();
      expect(pathOf(await browser.submit(form, { code }))).toBe("/account");
      const { browser: another, page: asked } = await elsewhere();
      expect((await another.submit(formAt(asked, "/sign-in/code"), { code })).status).toBe(422);
      expect(await isSignedIn(another)).toBe(false);
    });

    test("of many at once with one code, one gets in", async () => {
      const app = await setUpAuthenticator(pages, here);
      const { browser, page } = await elsewhere();
      const code = app.nextCode();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => browser.submit(formAt(page, "/sign-in/code"), { code })),
      );
      const statuses = answers.map((answer) => (pathOf(answer) === "/account" ? "in" : "refused"));
      expect(statuses.filter((status) => status === "in")).toHaveLength(1);
    });

    test("takes a recovery code once in its place, and tells by mail", async () => {
      const { recoveryCodes } = await setUpAuthenticator(pages, here);
      const [code = ""] = recoveryCodes;
      const { browser, page } = await elsewhere();
      expect(pathOf(await browser.submit(formAt(page, "/sign-in/code"), { code }))).toBe("/account");
      expect((await pages.mailsTo(person.user.email)).at(-1)).toMatchObject({ kind: "recovery_code_used", left: 9 });
      const { browser: another, page: asked } = await elsewhere();
      expect((await another.submit(formAt(asked, "/sign-in/code"), { code })).status).toBe(422);
    });

    test("tells nobody without the password whether there is one", async () => {
      await setUpAuthenticator(pages, here);
      const other = await pages.auth.createPerson();
      const answers = [];
      for (const { user } of [person, other]) {
        const browser = pages.openBrowser();
        const page = await browser.fill("/sign-in", {
          email: user.email,
          password: "not the password",
        });
        answers.push(`${page.status} ${comparable(page, user.email)} ${[...page.headers.keys()].toSorted().join()}`);
      }
      expect(new Set(answers).size).toBe(1);
    });

    test("the password is forgotten after 15 minutes, when it is changed, and in another browser", async () => {
      const app = await setUpAuthenticator(pages, here);
      const { browser, page } = await elsewhere();
      const form = formAt(page, "/sign-in/code");
      const stranger = pages.openBrowser();
      const theirs = (await stranger.open("/sign-in")).forms[0];
      const refused = await stranger.submit(theirs && { ...theirs, action: "/sign-in/code" }, {
        known: valueOf(form, "known"),
        code: app.nextCode(),
      });
      expect(textOf(refused)).toContain("Too much time has passed");
      await pages.auth.platform.auth.users.changePassword({ userId: person.user.id, passwordHash: "$argon2id$" });
      expect(textOf(await browser.submit(form, { code: app.nextCode() }))).toContain("Too much time has passed");
    });

    test("ten wrong codes lock the user out, and say so; a device that was signed in with goes on", async () => {
      const app = await setUpAuthenticator(pages, here);
      for (let count = 0; count < 10; count += 1) {
        const { browser, page } = await elsewhere();
        expect((await browser.submit(formAt(page, "/sign-in/code"), { code: "000000" })).status).toBe(422);
      }
      const { browser, page } = await elsewhere();
      const locked = await browser.submit(formAt(page, "/sign-in/code"), { code: app.nextCode() });
      expect(locked.status).toBe(429);
      expect(textOf(locked)).toContain("Too many attempts with a wrong code. Wait 15 minutes");
      expect(locked.headers.get("Retry-After")).toMatch(/^\d+$/);
      expect((await pages.noticesTo(person.user.email)).at(-1)).toMatchObject({
        kind: "sign_in_locked",
        isByCodes: true,
        url: `${pages.auth.origin}/password/forgotten`,
      });
      await here.fill("/sign-out");
      const known = await pages.signIn(here, person);
      expect(pathOf(await here.submit(formAt(known, "/sign-in/code"), { code: app.nextCode() }))).toBe("/account");
    });

    test("ID tokens say how: pwd alone, or pwd, otp and mfa with acr", async () => {
      const client = createOauthClient(pages.auth, await pages.auth.createApplication(person.account));
      const plain = decodeJwt(String((await client.connect(person)).id_token));
      expect(plain).toMatchObject({ amr: ["pwd"] });
      expect(plain).not.toHaveProperty("acr");
      const app = await setUpAuthenticator(pages, here);
      const browser = pages.openBrowser();
      const verifier = newVerifier();
      const parameters = { code_challenge: await challengeOf(verifier), prompt: "login" };
      const asked = await browser.fill(client.authorizeUrl(parameters), {
        email: person.user.email,
        password: person.password,
      });
      const last = await browser.submit(asked.forms[0], { code: app.nextCode() });
      expect(last.isElsewhere).toBe(true);
      const url = new URL(last.url);
      const { json } = await client.exchange({ code: url.searchParams.get("code") ?? "", verifier, url, browser });
      expect(decodeJwt(String(json.id_token))).toMatchObject({ amr: ["pwd", "otp", "mfa"], acr: mfa });
    });
  });

  test("a new password by mail changes nothing without it", async () => {
    const app = await setUpAuthenticator(pages, here);
    const browser = pages.openBrowser();
    await browser.fill("/password/forgotten", { email: person.user.email });
    const link = await pages.linkTo(person.user.email);
    const reset = await browser.open(link);
    const asked = await browser.submit(reset.forms[0], { "new-password": pages.auth.watch.note(goodPassword) });
    const form = formAt(asked, "/password/reset/code");
    expect((await browser.submit(form, { code: "000000" })).status).toBe(422);
    expect(await isSignedIn(here)).toBe(true);
    expect(await isSignedIn(browser)).toBe(false);
    expect(textOf(await browser.submit(form, { code: app.nextCode() }))).toContain("Your password is changed");
    expect(await isSignedIn(here)).toBe(false);
    expect((await browser.open(link)).status).toBe(410);
    const { browser: old, page } = await elsewhere();
    expect(page.status).toBe(422);
    expect(await isSignedIn(old)).toBe(false);
  });

  test("new recovery codes end the old ones; removed, the password alone signs in, and a mail tells", async () => {
    const { recoveryCodes } = await setUpAuthenticator(pages, here);
    const page = await here.open("/account/authenticator");
    const renewed = await here.submit(formAt(page, "/account/authenticator/recovery-codes"));
    expect(textOf(renewed)).toContain("Keep your recovery codes");
    expect(renewed.html).not.toContain(recoveryCodes[0]);
    const after = await here.submit(formAt(page, "/account/authenticator/remove"));
    expect(textOf(after)).toContain("The authenticator app is removed.");
    expect((await pages.mailsTo(person.user.email)).at(-1)).toMatchObject({ kind: "authenticator_removed" });
    const { page: signedIn } = await elsewhere();
    expect(pathOf(signedIn)).toBe("/account");
  });

  describe("an account whose owners need one", () => {
    const rules = () => `/account/rules/${person.account.id}`;
    const need = (isNeeded = true) =>
      pages.auth.platform.accounts.setOwnersNeedSecondFactor({ id: person.account.id, isNeeded });
    const createClient = async () => createOauthClient(pages.auth, await pages.auth.createApplication(person.account));
    const isLetIn = ({ isElsewhere, url }: BrowserPage) => isElsewhere && new URL(url).searchParams.has("code");

    test("leads an owner without one to set it up, and then to the consent", async () => {
      const client = await createClient();
      await need();
      const page = await here.open(client.authorizeUrl());
      expect(textOf(page)).toContain("A second factor is needed");
      expect(page.forms.flatMap(({ buttons }) => buttons).map(({ label }) => label)).not.toContain("Allow");
      const link = /href="(\/account\/authenticator[^"]*)"/.exec(page.html)?.[1] ?? "";
      const { page: codes } = await setUpAuthenticator(pages, here, link);
      const next = /class="button" href="([^"]*)"/.exec(codes.html)?.[1] ?? "";
      expect(isLetIn(await here.fill(next, {}, "Allow"))).toBe(true);
    });

    test("is let to nobody past it: not by a consent of before, silently, or by the form of another account", async () => {
      const client = await createClient();
      expect(isLetIn(await here.fill(client.authorizeUrl(), {}, "Allow"))).toBe(true);
      expect(isLetIn(await here.open(client.authorizeUrl()))).toBe(true);
      await need();
      expect(textOf(await here.open(client.authorizeUrl()))).toContain("A second factor is needed");
      const silent = new URL((await here.open(client.authorizeUrl({ prompt: "none" }))).url);
      expect(silent.searchParams.get("error")).toBe("interaction_required");
      const { account: other } = await pages.auth.createPerson({ user: person });
      const choice = await here.open(client.authorizeUrl({ prompt: "consent" }));
      const refused = await here.submit(choice.forms[0], { account: person.account.id }, "Allow");
      expect(textOf(refused)).toContain("A second factor is needed");
      expect(isLetIn(await here.fill(choice.url, { account: other.id }, "Allow"))).toBe(true);
    });

    test("gives no owner its first key without one", async () => {
      await need();
      const page = await here.open(`/account/first-key/${person.account.id}`);
      expect(pathOf(page)).toBe(rules());
      expect(page.forms).toEqual([]);
      await setUpAuthenticator(pages, here);
      expect(textOf(await here.open(`/account/first-key/${person.account.id}`))).toContain("Your first API key");
    });

    test("asks who has one and signed in without it to sign in with it", async () => {
      const client = await createClient();
      const { browser: older } = await elsewhere();
      const app = await setUpAuthenticator(pages, here);
      await need();
      const page = await older.open(client.authorizeUrl());
      const link = /class="button" href="([^"]*)"/.exec(page.html)?.[1] ?? "";
      const asked = await older.fill(link, { password: person.password });
      const consent = await older.submit(asked.forms[0], { code: app.nextCode() });
      expect(isLetIn(await older.submit(consent.forms[0], {}, "Allow"))).toBe(true);
    });

    test("asks no member; one who becomes an owner is asked at the next authorize request", async () => {
      const client = await createClient();
      await need();
      const member = await pages.auth.createPerson({ account: person.account, role: "member" });
      const { browser } = await client.authorize(member);
      const people = await pages.auth.platform.accounts.people.listOfUser(member.user.id);
      await pages.auth.platform.transaction(({ accounts }) =>
        accounts.people.changeRole({ id: people[0]?.personId ?? "", accountId: person.account.id, role: "owner" }),
      );
      expect(textOf(await browser.open(client.authorizeUrl()))).toContain("A second factor is needed");
    });

    test("forgets nobody's proof but with the factor: removed, it is asked for again", async () => {
      const client = await createClient();
      await setUpAuthenticator(pages, here);
      await need();
      expect(isLetIn(await here.fill(client.authorizeUrl(), {}, "Allow"))).toBe(true);
      await here.submit(formAt(await here.open("/account/authenticator"), "/account/authenticator/remove"));
      expect(textOf(await here.open(client.authorizeUrl()))).toContain("A second factor is needed");
    });

    test("is made so, and no longer so, by an owner who has proved one", async () => {
      const isNeeded = async () => (await pages.auth.platform.accounts.get(person.account.id))?.ownersNeedSecondFactor;
      const without = await here.open(rules());
      expect(without.forms).toEqual([]);
      const { browser: older } = await elsewhere();
      await setUpAuthenticator(pages, here);
      const form = formAt(await here.open(rules()), rules());
      expect(textOf(await here.submit(form, { "second-factor": "yes" }))).toContain("are saved");
      expect(await isNeeded()).toBe(true);
      expect(pathOf(await older.open(rules()))).toBe("/sign-in/again");
      await here.submit(formAt(await here.open(rules()), rules()), { "second-factor": "" });
      expect(await isNeeded()).toBe(false);
    });
  });
});

function valueOf(form: HtmlForm | undefined, name: string): string {
  return new Map(form?.values).get(name) ?? "";
}

async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", Buffer.from(verifier));
  return Buffer.from(hash).toString("base64url");
}

/** Reads the code from the markup of the page, like a camera. */
function readQrCode(html: string): string {
  const size = Number(/viewBox="0 0 (\d+) /.exec(html)?.[1]);
  const scale = 4;
  const width = size * scale;
  const data = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x = "", y = ""] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let pixel = 0; pixel < scale * scale; pixel += 1) {
      const column = Number(x) * scale + (pixel % scale);
      const row = Number(y) * scale + Math.floor(pixel / scale);
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  return decodeQR({ width, height: width, data });
}
