import { permissions, roles, type Permission, type Role, type Scope } from "@gateway/platform/accounts";
import { createTestClock, waitFor } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Browser } from "../apps/auth/test/support/browser.ts";
import { createOauthClient, type OauthClient } from "../apps/auth/test/support/oauth-client.ts";
import type { Person, TestAuth } from "../apps/auth/test/support/test-auth.ts";
import { startAuthAndGateways, type AuthAndGateways } from "./support/auth-and-gateways.ts";

type Worth = Permission | "none";
/** The result of one consent. `said` is the permission in the words of the page. */
type Consent = { asked: readonly Scope[]; said: Worth; client: OauthClient; browser: Browser; tokens: Token[] };
type Token = { scopes: readonly Scope[]; accessToken: string };

const all: readonly Scope[] = ["openid", "read", "write", "admin"];
const subsets = Array.from({ length: 2 ** all.length - 1 }, (_, at) =>
  all.filter((_scope, place) => (at + 1) & (2 ** place)),
);
/** The scopes to which a refresh narrows: all of them, and each alone. */
const narrowedOf = (scopes: readonly Scope[]) => [scopes, ...scopes.map((scope) => [scope])];
/** The scopes that an application requests again without the person: all, and each permission alone. */
const askedAgain: readonly (readonly Scope[])[] = [
  all,
  ...permissions.map((permission) => ["openid", permission] as const),
];
const rankOf = (worth: Worth): number => ["none", ...permissions].indexOf(worth);
const words: readonly (readonly [Worth, string])[] = [
  ["admin", "Manage your account"],
  ["write", "make changes"],
  ["read", "See everything in your account: wallets"],
];

/** Consents to each set of scopes, for an application that is registered for exactly these. */
describe("what a person consents to", () => {
  let system: AuthAndGateways;
  let auth: TestAuth;
  let person: Person;
  let consents: Consent[];

  beforeAll(async () => {
    system = await startAuthAndGateways({ clock: createTestClock(Date.now()) });
    auth = system.auth;
    person = await auth.createPerson();
    // A second owner, so that the person's role can change.
    await auth.createPerson({ account: person.account });
    consents = [];
    for (const asked of subsets) {
      consents.push(await consentTo(asked));
    }
  });
  afterAll(() => system.stop());

  const consentTo = async (asked: readonly Scope[]): Promise<Consent> => {
    const scopes = [...asked];
    const client = createOauthClient(auth, await auth.createApplication(person.account, { scopes }));
    const browser = await auth.openBrowser(person);
    const { html } = await browser.open(client.authorizeUrl({ scope: asked.join(" ") }));
    const said = words.find(([, text]) => html.includes(text))?.[0] ?? "none";
    const { access_token: accessToken, refresh_token: first } = await client.connect(person, {
      browser,
      scope: asked.join(" "),
    });
    const tokens: Token[] = [{ scopes: asked, accessToken }];
    let refreshToken = first;
    for (const narrowed of narrowedOf(asked)) {
      const { status, json } = await client.refresh(refreshToken, { form: { scope: narrowed.join(" ") } });
      expect(status).toBe(200);
      tokens.push({ scopes: narrowed, accessToken: json.access_token });
      refreshToken = json.refresh_token;
    }
    return { asked, said, client, browser, tokens };
  };
  /** The permission of a token at the gateway, by a call to an operation of each permission. */
  const worthOf = async ({ accessToken }: Token): Promise<Worth> => {
    const headers = { Authorization: `Bearer ${accessToken}`, "Content-Type": "application/json" };
    const tried = [
      ["admin", "/api/v1/api-keys", {}],
      ["write", "/api/v1/wallets", { method: "POST", body: '{"name":"W","currency":"EUR"}' }],
      ["read", "/api/v1/wallets", {}],
    ] as const;
    for (const [permission, path, init] of tried) {
      const response = await fetch(`${system.gatewayUrls[0]}${path}`, { ...init, headers });
      await response.arrayBuffer();
      expect([200, 201, 403]).toContain(response.status);
      if (response.status !== 403) {
        return permission;
      }
    }
    return "none";
  };
  /** Tokens with a higher permission than the page stated. */
  const findWidened = async (): Promise<unknown[]> => {
    const widened = [];
    for (const { asked, said, tokens } of consents) {
      for (const token of tokens) {
        const worth = await worthOf(token);
        if (rankOf(worth) > rankOf(said)) {
          widened.push({ asked, said, token: token.scopes, worth });
        }
      }
    }
    return widened;
  };
  const register = async ({ client }: Consent, scopes: readonly Scope[]): Promise<void> => {
    await auth.platform.accounts.oauthApplications.update({
      id: client.application.id,
      accountId: person.account.id,
      scopes,
    });
  };

  test("is the greatest permission among the scopes, read when there is none, and the page says it in words", async () => {
    const expected = (asked: readonly Scope[]): Worth =>
      // The application is not registered for a permission either, so it gets none.
      asked.length === 1 && asked[0] === "openid"
        ? "none"
        : (permissions.findLast((one) => asked.includes(one)) ?? "read");
    const found = [];
    // Sequential, because a busy machine refuses some of many concurrent requests.
    for (const { asked, said, tokens } of consents) {
      found.push({ asked, said, worth: await worthOf(tokens[0] as Token) });
    }
    expect(found).toEqual(consents.map(({ asked }) => ({ asked, said: expected(asked), worth: expected(asked) })));
  });

  test("no token gets beyond by fewer scopes", async () => {
    expect(await findWidened()).toEqual([]);
  });

  test("no token gets beyond by the application's registration, and none without asking again", async () => {
    for (const consent of consents) {
      await register(consent, all);
    }
    // The changes arrive in order, so the last one shows that all have arrived.
    const last = consents.at(-1) as Consent;
    const isWorth = (worth: Worth) => waitFor(async () => (await worthOf(last.tokens[0] as Token)) === worth);
    await register(last, ["read"]);
    await isWorth("read");
    await register(last, all);
    await isWorth("admin");
    expect(await findWidened()).toEqual([]);

    for (const { said, client, browser, tokens } of consents) {
      for (const scopes of askedAgain) {
        const verifier = "v".repeat(43);
        const asking = { prompt: "none", scope: scopes.join(" ") };
        const { url } = await browser.open(
          client.authorizeUrl({ ...asking, code_challenge: await challengeOf(verifier) }),
        );
        const code = new URL(url).searchParams.get("code");
        if (code !== null) {
          const { json } = await client.exchange({ code, verifier, url: new URL(url), browser });
          tokens.push({ scopes, accessToken: json.access_token });
        }
      }
      expect(said).not.toBe("");
    }
    expect(consents.some(({ asked, tokens }) => tokens.length > narrowedOf(asked).length + 1)).toBe(true);
    expect(await findWidened()).toEqual([]);
  });

  test("no token gets beyond the person's role either, whichever it becomes", async () => {
    const [{ personId } = { personId: "" }] = await auth.platform.accounts.people.listOfUser(person.user.id);
    const most: Record<Role, Worth> = { viewer: "read", member: "write", owner: "admin" };
    const strongest = consents.at(-1)?.tokens[0] as Token;
    for (const role of roles) {
      await auth.platform.transaction(({ accounts }) =>
        accounts.people.changeRole({ id: personId, accountId: person.account.id, role }),
      );
      await waitFor(async () => (await worthOf(strongest)) === most[role]);
      expect(await findWidened()).toEqual([]);
    }
  });

  test("is raised by a new consent only, and for its own tokens", async () => {
    const reader = await consentTo(["openid", "read"]);
    await register(reader, all);
    const more = await reader.client.connect(person, { browser: reader.browser, scope: "openid write" });
    const writing: Token = { scopes: ["openid", "write"], accessToken: more.access_token };
    await waitFor(async () => (await worthOf(writing)) === "write");
    expect(await Promise.all(reader.tokens.map(worthOf))).toEqual(reader.tokens.map(() => "read"));
    const less = await reader.client.connect(person, { browser: reader.browser, scope: "openid read" });
    expect(await worthOf({ scopes: ["openid", "read"], accessToken: less.access_token })).toBe("read");
    expect(await worthOf(writing)).toBe("write");
  });
});

async function challengeOf(verifier: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from(verifier))).toString("base64url");
}
