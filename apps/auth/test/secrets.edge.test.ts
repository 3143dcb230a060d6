import { createCipher } from "@gateway/kernel";
import { sealedAfterMs } from "@gateway/platform/audit";
import { beforeAll, describe, expect, test } from "vitest";
import { readKey } from "./support/authenticator-app.ts";
import type { Browser, BrowserPage } from "./support/browser.ts";
import { dumpTables, formsOf } from "./support/dump-tables.ts";
import { createOauthClient } from "./support/oauth-client.ts";
import { formAt, textOf } from "./support/pages.ts";
import { usePages } from "./support/use-pages.ts";

const pages = usePages();
let browsers: Browser[];
/** The values that must not be written down, by kind. */
let held: Record<string, string[]>;
/** Six digits each. */
let codes: string[];
let addresses: { before: string; after: string };

beforeAll(async () => {
  [browsers, held, codes] = [[], {}, []];
  addresses = { before: "ada@example.com", after: "lovelace@example.com" };
  const here = await signUpAndChangePassword();
  const fresh = await useSecondFactor(here);
  await useAccount(fresh);
  await connectApplication(fresh);
  await invite();
  await fresh.submit(formAt(await fresh.open("/account/authenticator"), "/account/authenticator/remove"));
  keep("cookie", ...browsers.flatMap(({ setCookies }) => setCookies.map(valueOfCookie)));
  const [signingKey] = await pages.auth.platform.auth.signingKeys.load();
  keep("signing key", signingKey?.privateJwk.d, signingKey?.privateJwk.p);
  keep("encryption key", pages.auth.encryptionKey.toString("base64"), pages.auth.encryptionKey.toString("hex"));
  pages.clock.advance(2 * sealedAfterMs);
  await pages.auth.platform.audit.chains.seal();
});

const passwords = {
  first: "ferry candle walnut orbit",
  second: "tulip anchor violin desert",
  third: "plum harbor otter stanza",
};

/** Keeps secrets only. Short values, such as a language, are not secret. */
function keep(kind: string, ...secrets: (string | undefined)[]): void {
  held[kind] = [...(held[kind] ?? []), ...secrets.flatMap((secret = "") => (secret.length < 12 ? [] : secret))];
}

function openBrowser(): Browser {
  const browser = pages.openBrowser({ address: "203.0.113.7" });
  browsers.push(browser);
  return browser;
}

const signIn = async (browser: Browser, email: string, password: string): Promise<BrowserPage> =>
  browser.fill("/sign-in", { email, password });

async function linkTo(email: string): Promise<string> {
  const link = await pages.linkTo(email);
  keep("mailed link", new URL(link).searchParams.get("token") ?? "");
  return link;
}

/** Also types a password into the field of the address. */
async function signUpAndChangePassword(): Promise<Browser> {
  keep("password", ...Object.values(passwords), "not the password");
  const here = openBrowser();
  await pages.signUp(here, addresses.before, passwords.first);
  await linkTo(addresses.before);
  await signIn(openBrowser(), addresses.before, "not the password");
  await signIn(openBrowser(), passwords.first, passwords.first);
  const changed = await here.fill("/account/password", {
    password: passwords.first,
    "new-password": passwords.second,
  });
  expect(textOf(changed)).toContain("Your password is changed");
  return here;
}

/** Returns the browser that has set a new password by mail, and so is the only one that is signed in. */
async function useSecondFactor(here: Browser): Promise<Browser> {
  const setUp = await here.open("/account/authenticator");
  const app = readKey(pages, setUp.html);
  const spaced = /<code class="key">\s*([A-Z2-7 ]+?)\s*<\/code>/.exec(setUp.html)?.[1] ?? "";
  keep("authenticator's secret", spaced, spaced.replaceAll(" ", ""));
  const form = formAt(setUp, "/account/authenticator");
  keep("authenticator's secret", new Map(form?.values).get("secret"));
  const note = (code: string): string => {
    codes.push(code);
    return code;
  };
  keepRecoveryCodes(await here.submit(form, { code: note(app.code()) }));
  const page = await here.open("/account/authenticator");
  const [recoveryCode = ""] = keepRecoveryCodes(
    await here.submit(formAt(page, "/account/authenticator/recovery-codes")),
  );
  for (const code of [note(app.nextCode()), recoveryCode]) {
    const browser = openBrowser();
    const asked = await signIn(browser, addresses.before, passwords.second);
    expect(textOf(await browser.submit(formAt(asked, "/sign-in/code"), { code }))).toContain(addresses.before);
  }
  const fresh = openBrowser();
  await fresh.fill("/password/forgotten", { email: addresses.before });
  const reset = await fresh.open(await linkTo(addresses.before));
  const asked = await fresh.submit(reset.forms[0], { "new-password": passwords.third });
  await fresh.submit(formAt(asked, "/password/reset/code"), { code: note(app.nextCode()) });
  return fresh;
}

function keepRecoveryCodes({ html }: BrowserPage): string[] {
  const found = [...html.matchAll(/<code>([A-Z2-7-]{19})<\/code>/g)].map(([, code = ""]) => code);
  expect(found).toHaveLength(10);
  keep("recovery code", ...found, ...found.map((code) => code.replaceAll("-", "")));
  return found;
}

async function useAccount(browser: Browser): Promise<void> {
  const account = await pages.auth.platform.accounts.findByEmail(addresses.before);
  const path = `/account/first-key/${account?.id}`;
  const { html } = await browser.submit(formAt(await browser.open(path), path));
  keep("API key", /<code>(gk_test_\w+)<\/code>/.exec(html)?.[1]);
  await browser.submit(formAt(await browser.open("/account/email"), "/account/email"), { email: addresses.after });
  expect(textOf(await browser.fill(await linkTo(addresses.after)))).toContain("Your e-mail address is changed");
}

/** The code is used twice, which revokes the grant. */
async function connectApplication(browser: Browser): Promise<void> {
  const { platform } = pages.auth;
  const [user, account] = await Promise.all([
    platform.auth.users.findByEmail(addresses.after),
    platform.accounts.findByEmail(addresses.after),
  ]);
  if (!user || !account) {
    throw new Error("The user and the account have no new address.");
  }
  const client = createOauthClient(pages.auth, await pages.auth.createApplication(account));
  const person = { user, account, password: passwords.third };
  const authorization = await client.authorize(person, { browser });
  const { json } = await client.exchange(authorization);
  const { json: refreshed } = await client.refresh(json.refresh_token);
  await client.exchange(authorization);
  const live = await client.connect(person, { browser });
  const { json: newest } = await client.refresh(live.refresh_token);
  const unused = await client.authorize(person, { browser });
  const { url } = await openBrowser().open(client.authorizeUrl());
  keep("interaction", new URL(url).pathname.split("/")[2]);
  keep("authorization code", authorization.code, authorization.verifier, unused.code, unused.verifier);
  const tokens = [json, refreshed, live, newest];
  keep("access token", ...tokens.flatMap((each) => [each.access_token, each.id_token]));
  keep("refresh token", ...tokens.map((each) => each.refresh_token));
}

/** Invites like the gateway, and a new user accepts. */
async function invite(): Promise<void> {
  const { platform, origin } = pages.auth;
  const email = "invited@example.com";
  const account = await platform.accounts.findByEmail(addresses.after);
  const token = await platform.transaction(async ({ accounts, auth }) => {
    const { id } = await accounts.people.invite({ accountId: account?.id ?? "", email, role: "viewer" });
    return auth.mailLinks.create({ purpose: "invitation", email, personId: id });
  });
  keep("mailed link", token);
  const browser = openBrowser();
  await browser.fill(`${origin}/invitations/accept?token=${token}`, { name: "New", "new-password": passwords.first });
}

const valueOfCookie = (cookie: string): string => (cookie.split(";")[0] ?? "").split("=").slice(1).join("=");

const longFoundIn = (text: string): string[] =>
  Object.entries(held).flatMap(([kind, secrets]) =>
    secrets
      .filter((secret) => formsOf(secret).some((form) => text.includes(form)))
      .map((secret) => `${kind} ${secret}`),
  );
const foundIn = (text: string): string[] => [
  ...longFoundIn(text),
  ...codes.filter((code) => new RegExp(`(?<![\\w.])${code}(?!\\w)`).test(text)).map((code) => `one-time code ${code}`),
];

test("there are over 60 secrets of every kind, and the audit log has what was done with them", async () => {
  expect(Object.keys(held).toSorted()).toEqual(
    [
      ...["API key", "access token", "authenticator's secret", "authorization code", "cookie", "encryption key"],
      ...["interaction", "mailed link", "password", "recovery code", "refresh token", "signing key"],
    ].toSorted(),
  );
  expect(Object.entries(held).filter(([, secrets]) => secrets.length === 0)).toEqual([]);
  expect(new Set([...codes, ...Object.values(held).flat()]).size).toBeGreaterThan(60);
  expect(codes).toHaveLength(3);
  const account = await pages.auth.platform.accounts.findByEmail(addresses.after);
  const { items } = await pages.auth.platform.audit.list({ accountId: account?.id ?? "", limit: 100 });
  expect([...new Set(items.map(({ type }) => type))]).toEqual(
    expect.arrayContaining([
      ...[
        "account.created",
        "account.updated",
        "person.joined",
        "person.updated",
        "person.invited",
        "password.changed",
      ],
      ...["authenticator.added", "authenticator.removed", "recovery_codes.renewed", "recovery_code.used"],
      ...["api_key.created", "application.created", "grant.created", "grant.revoked"],
    ]),
  );
});

test("none of them is in any row of the audit log, neither in what can be deleted, nor plain or encoded", async () => {
  const rows = await dumpTables(pages.auth, "audit\\_%");
  expect(rows).toMatch(/^audit_chains .*"hash":/m);
  // The column of personal data is among them.
  expect(rows).toContain(addresses.after);
  expect(rows).toContain("203.0.113.7");
  expect(foundIn(rows)).toEqual([]);
  expect(rows).not.toContain("$argon2");
});

test("none of them is in the log", () => {
  const log = pages.auth.watch.lines.join("");
  expect(log).toContain("/account/password");
  expect(foundIn(log)).toEqual([]);
});

test("they are found where they stand", () => {
  for (const [kind, [secret = ""] = []] of Object.entries(held)) {
    for (const form of formsOf(secret)) {
      expect(foundIn(`{"changes":"${form}"}`)).toContain(`${kind} ${secret}`);
    }
  }
  expect(foundIn(`code ${codes[0]}.`)).toEqual([`one-time code ${codes[0]}`]);
});

describe("a copy of the database", () => {
  const selectRecords = () => pages.auth.database.kysely.selectFrom("oidc_records").selectAll();

  test("holds none of them, plain or encoded, in any table", async () => {
    const dump = await dumpTables(pages.auth);
    const tables = ["oidc_records", "refresh_answers", "signing_keys", "sessions", "mail_links", "users", "grants"];
    tables.forEach((table) => expect(dump).toContain(`${table} {`));
    expect(longFoundIn(dump)).toEqual([]);
  });

  test("with our encryption keys beside it, still opens no answer to a refresh, and so no live refresh token", async () => {
    const cipher = createCipher([pages.auth.encryptionKey]);
    const answers = await pages.auth.database.kysely.selectFrom("refresh_answers").select("answer").execute();
    expect(answers.length).toBeGreaterThan(0);
    answers.forEach(({ answer }) => expect(() => cipher.open(answer, "refresh answer")).toThrow());
    const records = await selectRecords().execute();
    const opened = records.map(({ model, name_hash: name, payload }) =>
      cipher.open(payload, `oidc ${model} ${name.toString("hex")}`).toString(),
    );
    expect(records.map(({ model }) => model)).toEqual(expect.arrayContaining(["AuthorizationCode", "RefreshToken"]));
    const tokens = [...(held["refresh token"] ?? []), ...(held["authorization code"] ?? [])];
    expect(tokens.filter((token) => opened.some((payload) => payload.includes(token)))).toEqual([]);
  });

  test("a sealed record in another's place opens nothing", async () => {
    const [one, other] = await selectRecords().where("model", "=", "RefreshToken").limit(2).execute();
    const cipher = createCipher([pages.auth.encryptionKey]);
    const open = (of: typeof one) =>
      cipher.open(one?.payload ?? Buffer.alloc(0), `oidc RefreshToken ${of?.name_hash.toString("hex")}`);
    expect(open(one).length).toBeGreaterThan(0);
    expect(() => open(other)).toThrow();
  });
});
