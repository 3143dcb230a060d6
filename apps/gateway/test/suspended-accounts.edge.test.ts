import { permissions, type Account } from "@gateway/platform/accounts";
import { resumeAccount, suspendAccount } from "@gateway/platform/acts/suspend-account";
import { waitFor } from "@gateway/testkit";
import { beforeEach, describe, expect, test } from "vitest";
import { atOnce, refused } from "./support/answers.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import type { Answer } from "./support/http-client.ts";
import { expectHeard } from "./support/expect-heard.ts";
import { bearer, createTestGrant, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

type Headers = Record<string, string>;

const suspended = refused("ACCOUNT_SUSPENDED");
const freshClient = createFreshClients();

let account: Account;
let credentials: Headers[];

const issuer = useIssuer();
const writer = useGateway();
const gateway = useGateway(() => ({ databaseUrl: writer.databaseUrl, issuer, env: behindProxy }));
beforeEach(async () => {
  account = await writer.createAccount();
  const keys = await Promise.all(permissions.map((permission) => writer.createKey(account, permission)));
  const tokens = await Promise.all(
    (["viewer", "owner"] as const).map(async (role) =>
      mintToken(issuer, await createTestGrant(writer, account, { role })),
    ),
  );
  credentials = [...keys.map(({ secret }) => ({ "X-API-Key": secret })), ...tokens.map(bearer)];
});

const read = (headers: Headers, target = "/api/v1/account"): Promise<Answer> =>
  gateway.call({ target, headers: { ...freshClient(), ...headers } });
const statuses = async (all = credentials): Promise<number[]> =>
  (await Promise.all(all.map((one) => read(one)))).map(({ status }) => status);
const suspend = (id = account.id): Promise<unknown> =>
  writer.platform.transaction((services) => suspendAccount(services, { id, reason: "Unpaid since May" }));
const resume = (id = account.id): Promise<unknown> =>
  writer.platform.transaction((services) => resumeAccount(services, id));

describe("while an account is suspended", () => {
  test("a gateway that knows its credentials refuses each of them, and takes all of them once it is resumed", async () => {
    expect(await statuses()).toEqual(credentials.map(() => 200));
    await suspend();
    await expectHeard(async () => (await statuses()).every((status) => status === 403));
    for (const answer of await Promise.all(credentials.map((one) => read(one)))) {
      expect(answer).toMatchObject(suspended);
      expect(answer.text).not.toContain("Unpaid");
    }
    await resume();
    await expectHeard(async () => (await statuses()).every((status) => status === 200));
  });

  test("what is no good credential is told nothing of it", async () => {
    const { id, secret } = await writer.createKey(account, "read");
    await writer.platform.accounts.apiKeys.revoke({ id, accountId: account.id });
    await suspend();
    await expectHeard(async () => (await statuses()).every((status) => status === 403));
    expect((await read({ "X-API-Key": secret })).status).toBe(401);
  });

  test("a page of its application can read why", async () => {
    await suspend();
    const origin = "https://app.example.com";
    const token = credentials.at(-1) ?? {};
    await waitFor(
      async () => (await read({ ...token, Origin: origin })).headers["access-control-allow-origin"] === origin,
    );
    expect(await read({ ...token, Origin: origin })).toMatchObject(suspended);
  });

  test("twice keeps the first time, and ten who suspend and resume at once leave account and webhooks agreed", async () => {
    const first = await writer.platform.accounts.suspend({ id: account.id, reason: null });
    expect(await writer.platform.accounts.suspend({ id: account.id, reason: "b" })).toEqual({
      ...first,
      suspensionReason: "b",
    });
    await resume();
    const create = (index: number): Promise<unknown> =>
      writer.platform.transaction(({ events }) =>
        events.webhooks.create({
          accountId: account.id,
          url: `https://example.com/${index}`,
          events: ["wallet.created"],
          description: null,
        }),
      );
    await atOnce(10, async (index) => {
      await Promise.all([create(index), index % 2 === 0 ? suspend() : resume()]);
    });
    const { kysely } = writer.database;
    const webhooks = await kysely
      .selectFrom("webhooks")
      .select("is_suspended")
      .where("account_id", "=", account.id)
      .execute();
    const isSuspended = (await writer.platform.accounts.get(account.id))?.suspendedAt !== null;
    expect(webhooks.map((webhook) => webhook.is_suspended)).toEqual(Array.from({ length: 10 }, () => isSuspended));
  });
});
