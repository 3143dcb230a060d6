import { createTestClock, type TestClock } from "@gateway/testkit";
import { openWebhookSecret } from "@gateway/platform/events";
import { createCipher, maskSecrets } from "@gateway/kernel";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { encryptionKey, startTestGateway, type TestGateway } from "./support/test-gateway.ts";
import { createWebhookClient, type WebhookBody, type WebhookClient } from "./support/webhook-client.ts";

const secretPattern = /^whsec_[A-Za-z0-9_-]{43}$/;
const unknownId = "whk_01kk96bjmyedetfcn70pdjn908";

describe("webhooks", () => {
  let gateway: TestGateway;
  let clock: TestClock;
  let owner: WebhookClient;
  let other: WebhookClient;

  beforeAll(async () => {
    clock = createTestClock(Date.now());
    gateway = await startTestGateway({ clock, lookupAddresses });
  });
  // Accounts of their own for each test: the number of webhooks of an account is limited.
  beforeEach(async () => {
    owner = await createWebhookClient(gateway);
    other = await createWebhookClient(gateway);
  });
  afterAll(() => gateway.stop());

  test("a webhook reads back as it was created, without its secret", async () => {
    const body = {
      url: "https://hooks.example.com:8443/a?b=c",
      events: ["payment.settled", "wallet.created"],
      description: "Bücher 📚",
    };
    const { secret, ...created } = await owner.ask<WebhookBody>(201, "POST", "/webhooks", body);
    expect(created).toMatchObject({
      ...body,
      status: "enabled",
      secretOverlapEndsAt: null,
      statusChangedAt: created.createdAt,
    });
    expect(secret).toMatch(secretPattern);
    expect(await owner.ask(200, "GET", `/webhooks/${created.id}`)).toEqual(created);
    const [listed] = await owner.ask<WebhookBody[]>(200, "GET", "/webhooks");
    expect(listed).toEqual(created);
  });

  test("pages hold every webhook of the account once, newest first, and no deleted one", async () => {
    const client = await createWebhookClient(gateway);
    const made: string[] = [];
    for (let index = 0; index < 5; index += 1) {
      made.unshift((await client.createWebhook()).id);
    }
    await client.ask(200, "DELETE", `/webhooks/${made[2]}`);
    const first = await client.call("GET", "/webhooks?limit=3");
    const { data, meta } = first.json as { data: WebhookBody[]; meta: { nextCursor: string } };
    const rest = await client.ask<WebhookBody[]>(200, "GET", `/webhooks?limit=3&cursor=${meta.nextCursor}`);
    expect([...data, ...rest].map(({ id }) => id)).toEqual(made.toSpliced(2, 1));
    expect((await client.call("GET", `/events?cursor=${meta.nextCursor}`)).status).toBe(400);
  });

  test("an update changes what it names and nothing else", async () => {
    const { secret: _, ...webhook } = await owner.createWebhook();
    const path = `/webhooks/${webhook.id}`;
    const events = ["kyc.verified"];
    expect(await owner.ask(200, "PATCH", path, { events })).toEqual({ ...webhook, events });
    expect(await owner.ask(200, "PATCH", path, { description: "x" })).toEqual({ ...webhook, events, description: "x" });
    const url = "https://other.example.com/";
    expect(await owner.ask(200, "PATCH", path, { url, description: null })).toEqual({ ...webhook, events, url });
    expect(await owner.ask(200, "GET", path)).toEqual({ ...webhook, events, url });
  });

  test("disabling and enabling tell when the status changed, and a second time changes nothing", async () => {
    const { secret: _, ...webhook } = await owner.createWebhook();
    for (const [verb, status] of [
      ["disable", "disabled"],
      ["enable", "enabled"],
    ]) {
      clock.advance(1000);
      const changed = { ...webhook, status, statusChangedAt: new Date(clock.now()).toISOString() };
      expect(await owner.ask(200, "POST", `/webhooks/${webhook.id}/${verb}`)).toEqual(changed);
      clock.advance(1000);
      expect(await owner.ask(200, "POST", `/webhooks/${webhook.id}/${verb}`)).toEqual(changed);
    }
  });

  test("a deleted webhook is answered as it was, and is then like one that never was", async () => {
    const { secret: _, ...webhook } = await owner.createWebhook();
    expect(await owner.ask(200, "DELETE", `/webhooks/${webhook.id}`)).toEqual(webhook);
    for (const [method, path, body] of operationsOn(webhook.id)) {
      expect(await owner.call(method, path, body)).toMatchObject({
        status: 404,
        json: { error: { code: "NOT_FOUND" } },
      });
    }
  });

  test("404 with the same bytes for a webhook of another account as for one that never was", async () => {
    const webhook = await owner.createWebhook();
    const bytesOf = async (id: string): Promise<string[]> => {
      const answers: string[] = [];
      for (const [method, path, body] of operationsOn(id)) {
        const answer = await other.call(method, path, body);
        expect([path, answer.status]).toEqual([path, 404]);
        answers.push(answer.text.replace(/req_\w+/, "req").replaceAll(id, "id"));
      }
      return answers;
    };
    expect(await bytesOf(webhook.id)).toEqual(await bytesOf(unknownId));
    expect(await owner.ask<WebhookBody>(200, "GET", `/webhooks/${webhook.id}`)).toMatchObject({ status: "enabled" });
    expect(await other.ask(200, "GET", "/webhooks")).toEqual([]);
  });

  describe("the secret", () => {
    test("rolls with an overlap in which the old one still signs, and ends at once without", async () => {
      const webhook = await owner.createWebhook();
      const path = `/webhooks/${webhook.id}/roll-secret`;
      const rolled = await owner.ask<WebhookBody>(201, "POST", path, { overlapSeconds: 3600 });
      expect(rolled.secret).toMatch(secretPattern);
      expect(rolled.secretOverlapEndsAt).toBe(new Date(clock.now() + 3_600_000).toISOString());
      expect(await signingSecrets(webhook.id)).toEqual([rolled.secret, webhook.secret]);
      const again = await owner.ask<WebhookBody>(201, "POST", path, {});
      expect(again.secretOverlapEndsAt).toBe(new Date(clock.now() + 86_400_000).toISOString());
      expect(await signingSecrets(webhook.id), "at most two sign: the oldest stopped at once").toEqual([
        again.secret,
        rolled.secret,
      ]);
      clock.advance(86_400_000);
      expect(await owner.ask(200, "GET", `/webhooks/${webhook.id}`)).toMatchObject({ secretOverlapEndsAt: null });
      const last = await owner.ask<WebhookBody>(201, "POST", path, { overlapSeconds: 0 });
      expect(last.secretOverlapEndsAt).toBeNull();
      expect(await signingSecrets(webhook.id)).toEqual([last.secret]);
    });

    test("is bound to its webhook: moved to another row it does not open", async () => {
      const [one, two] = [await owner.createWebhook(), await owner.createWebhook()];
      const row = await rowOf(one.id);
      expect(openWebhookSecret(cipher, one.id, row.secret)).toBe(one.secret);
      expect(() => openWebhookSecret(cipher, two.id, row.secret)).toThrow("unable to authenticate");
    });

    test("is in no other answer, no log line, no error and no table", async () => {
      const webhook = await owner.createWebhook();
      const rolled = await owner.ask<WebhookBody>(201, "POST", `/webhooks/${webhook.id}/roll-secret`, {});
      await owner.createWallet();
      const answers = [
        await owner.call("GET", "/webhooks"),
        await owner.call("GET", `/webhooks/${webhook.id}`),
        await owner.call("PATCH", `/webhooks/${webhook.id}`, { description: rolled.secret, secret: rolled.secret }),
        await owner.call("GET", `/webhooks/${rolled.secret}`),
        await owner.call("GET", `/nothing/${rolled.secret}`),
        await owner.call("POST", `/webhooks/${webhook.id}/test`, { type: rolled.secret }),
        await owner.call("GET", "/deliveries"),
        await owner.call("DELETE", `/webhooks/${webhook.id}`),
      ];
      const dump = await dumpOf(gateway);
      expect(dump).toContain(webhook.id);
      const seen = [...answers.map(({ text }) => text), gateway.logLines.join(""), dump].join("\n");
      for (const secret of [webhook.secret, rolled.secret]) {
        expect(seen).not.toContain(secret);
        expect(seen).not.toContain(secret.slice(6));
        expect(seen).not.toContain(Buffer.from(secret).toString("hex"));
      }
    });

    test("is masked in a log line that holds it by mistake", () => {
      expect(maskSecrets("bad secret whsec_abcDEF-_123, cut whsec_abcd")).toBe(
        "bad secret whsec_[masked], cut whsec_[masked]",
      );
    });

    test("an idempotent creation answers the same webhook and the same secret", async () => {
      const create = () =>
        owner.call(
          "POST",
          "/webhooks",
          { url: "https://twice.example.com", events: ["kyc.rejected"] },
          { "Idempotency-Key": "once" },
        );
      const [first, second] = [await create(), await create()];
      expect(second.headers).toMatchObject({ "idempotency-replayed": "true" });
      expect(second.text).toBe(first.text);
      const rows = await gateway.database.kysely
        .selectFrom("webhooks")
        .select("id")
        .where("url", "=", "https://twice.example.com")
        .execute();
      expect(rows).toHaveLength(1);
    });
  });

  describe("a URL that may not receive events is 400 on the field url", () => {
    const urls = [
      "http://example.com",
      "ftp://example.com",
      "example.com",
      "//example.com",
      "",
      "https://",
      "https://user@example.com",
      "https://user:pass@example.com",
      "https://@example.com",
      "https://example.com:22",
      "https://example.com:80",
      "https://localhost",
      "https://LOCALHOST.",
      "https://app.localhost",
      "https://127.1",
      "https://2130706433",
      "https://0x7f.1",
      "https://0",
      "https://[::1]",
      "https://[::ffff:127.0.0.1]",
      "https://[64:ff9b::a9fe:a9fe]",
      "https://[2002:7f00:1::]",
      "https://169.254.169.254",
      "https://10.0.0.1",
      "https://172.16.0.1",
      "https://172.31.255.255",
      "https://192.168.1.1",
      "https://100.64.0.1",
      "https://100.127.255.255",
      "https://224.0.0.1",
      "https://intranet",
      "https://db.internal",
      "https://private.example.com",
      "https://mixed.example.com",
      "https://exa mple.com",
      "https://example.com\\@evil.com",
      `https://example.com/${"a".repeat(2048)}`,
    ];
    test.each(urls)("%s", async (url) => {
      const created = await owner.call("POST", "/webhooks", { url, events: ["wallet.created"] });
      expect(created).toMatchObject({
        status: 400,
        json: { error: { code: "INVALID_REQUEST", details: [{ field: "url" }] } },
      });
      const webhook = await owner.createWebhook();
      const updated = await owner.call("PATCH", `/webhooks/${webhook.id}`, { url });
      expect(updated).toMatchObject({ status: 400, json: { error: { details: [{ field: "url" }] } } });
      expect(await owner.ask(200, "GET", `/webhooks/${webhook.id}`)).toMatchObject({ url: webhook.url });
    });

    test.each([
      "https://example.com",
      "https://EXAMPLE.com:443/x",
      "https://not-up-yet.example.com",
      "https://8.8.8.8",
      "https://172.32.0.1:1024",
    ])("but %s is taken", async (url) => {
      expect(await owner.ask(201, "POST", "/webhooks", { url, events: ["wallet.created"] })).toMatchObject({ url });
    });
  });

  test.each([
    [{ events: ["wallet.created", "wallet.exploded"] }, "events.1"],
    [{ events: [] }, "events"],
    [{ events: ["wallet.created", "wallet.created"] }, "events"],
    [{ events: "wallet.created" }, "events"],
    [{ events: undefined }, "events"],
    [{ url: undefined }, "url"],
    [{ url: 5 }, "url"],
    [{ description: "x".repeat(501) }, "description"],
    [{ description: "" }, "description"],
    [{ description: "a\u0000b" }, "description"],
    [{ description: "\ud800" }, "description"],
    [{ secret: "whsec_mine" }, "secret"],
    [{ status: "disabled" }, "status"],
    [{ accountId: "acc_1" }, "accountId"],
    [{ livemode: true }, "livemode"],
  ])("400 that names the field: %j", async (change, field) => {
    const body = { url: "https://hooks.example.com", events: ["wallet.created"], ...change };
    const answer = await owner.call("POST", "/webhooks", body);
    expect(answer).toMatchObject({
      status: 400,
      json: { error: { code: "INVALID_REQUEST", details: [{ field }] } },
    });
  });

  test.each([
    ["PATCH", "", {}, "body"],
    ["PATCH", "", { secret: "whsec_mine" }, "secret"],
    ["PATCH", "", { description: "x".repeat(501) }, "description"],
    ["PATCH", "", { events: [] }, "events"],
    ["POST", "/roll-secret", { overlapSeconds: 604_801 }, "overlapSeconds"],
    ["POST", "/roll-secret", { overlapSeconds: -1 }, "overlapSeconds"],
    ["POST", "/test", { type: "wallet.exploded" }, "type"],
    ["POST", "/replay", { since: "yesterday" }, "since"],
  ])("%s webhook%s %j: 400 that names %s", async (method, path, body, field) => {
    const webhook = await owner.createWebhook();
    const answer = await owner.call(method, `/webhooks/${webhook.id}${path}`, body);
    expect(answer).toMatchObject({ status: 400, json: { error: { details: [{ field }] } } });
  });

  test("an account has at most 50 webhooks, also when several are created at once; a deleted one makes room", async () => {
    const client = await createWebhookClient(gateway);
    const webhooks: WebhookBody[] = [];
    for (let index = 0; index < 48; index += 1) {
      webhooks.push(await client.createWebhook());
    }
    const body = { url: "https://hooks.example.com/in", events: ["wallet.created"] };
    const raced = await Promise.all(Array.from({ length: 6 }, () => client.call("POST", "/webhooks", body)));
    expect(raced.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 201, 409, 409, 409, 409]);
    const refused = { status: 409, json: { error: { code: "WEBHOOK_LIMIT_REACHED" } } };
    await client.ask(200, "POST", `/webhooks/${webhooks[0]?.id}/disable`);
    expect(await client.call("POST", "/webhooks", body)).toMatchObject(refused);
    expect(await client.ask(200, "GET", "/webhooks?limit=100")).toHaveLength(50);
    await client.ask(200, "DELETE", `/webhooks/${webhooks[1]?.id}`);
    await client.createWebhook();
    expect(await client.call("POST", "/webhooks", body)).toMatchObject(refused);
  });

  test("a read key lists and changes nothing", async () => {
    const webhook = await owner.createWebhook();
    const { secret: key } = await gateway.createKey(owner.account, "read");
    for (const [method, path, body] of operationsOn(webhook.id)) {
      const answer = await gateway.call({ method, target: `/api/v1${path}`, key, ...(body !== undefined && { body }) });
      expect([path, answer.status]).toEqual([path, method === "GET" ? 200 : 403]);
    }
  });

  const cipher = createCipher([encryptionKey]);

  function rowOf(id: string) {
    return gateway.database.kysely.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  }

  async function signingSecrets(id: string): Promise<string[]> {
    const row = await rowOf(id);
    return [row.secret, row.previous_secret].flatMap((sealed) =>
      sealed ? [openWebhookSecret(cipher, id, sealed)] : [],
    );
  }
});

function operationsOn(id: string): [method: string, path: string, body?: unknown][] {
  return [
    ["GET", `/webhooks/${id}`],
    ["PATCH", `/webhooks/${id}`, { url: "https://taken-over.example.com" }],
    ["POST", `/webhooks/${id}/disable`],
    ["POST", `/webhooks/${id}/enable`],
    ["POST", `/webhooks/${id}/roll-secret`, {}],
    ["POST", `/webhooks/${id}/test`, { type: "wallet.created" }],
    ["POST", `/webhooks/${id}/replay`, { since: new Date(Date.now() - 60_000).toISOString() }],
    ["DELETE", `/webhooks/${id}`],
  ];
}

/** Two names that lead inside, the rest is not up yet. */
async function lookupAddresses(host: string): Promise<string[]> {
  switch (host) {
    case "private.example.com":
      return ["10.1.2.3"];
    case "mixed.example.com":
      return ["93.184.216.34", "127.0.0.1"];
    default:
      throw new Error(`There is no ${host}.`);
  }
}

/** Every row of every table as text. */
async function dumpOf({ database }: TestGateway): Promise<string> {
  const tables = await database.kysely.introspection.getTables();
  const dumps = await Promise.all(
    tables.map(({ name }) =>
      database.kysely
        .selectFrom(name as "webhooks")
        .select((is) => is.fn<string>("to_jsonb", [is.table(name as "webhooks")]).as("row"))
        .execute(),
    ),
  );
  return JSON.stringify(dumps);
}
