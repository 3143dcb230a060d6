import { enforcedOpenapi, eventTypes, exampleEvent } from "@gateway/contract";
import { createCipher } from "@gateway/kernel";
import { createEventCheck, openWebhookSecret } from "@gateway/platform/events";
import { createTestClock, useEach } from "@gateway/testkit";
import { describe, expect, test } from "vitest";
import { atOnce, countCodes, invalid, refused } from "./support/answers.ts";
import { dumpDatabase, holdsText } from "./support/dump-database.ts";
import { encryptionKey } from "./support/test-gateway.ts";
import { useGateway } from "./support/use-gateway.ts";
import { createWebhookClient, type WebhookBody } from "./support/webhook-client.ts";

const cipher = createCipher([encryptionKey]);
const clock = createTestClock(Date.now());
const gateway = useGateway({ clock, lookupAddresses });
// An account of its own for each test: the number of webhooks of an account is limited.
const owner = useEach(() => createWebhookClient(gateway));
const hook = { url: "https://hooks.example.com/in", events: ["wallet.created"] };
const timeIn = (ms: number): string => new Date(clock.now() + ms).toISOString();

test("a webhook reads back as it was created, without its secret", async () => {
  const url = "https://hooks.example.com:8443/a?b=c";
  const body = { url, events: ["payment.settled", "wallet.created"], description: "Bücher 📚" };
  const { secret, ...created } = await owner.ask<WebhookBody>("POST", "/webhooks", body);
  const rest = { status: "enabled", secretOverlapEndsAt: null, statusChangedAt: created.createdAt };
  expect(created).toMatchObject({ ...body, ...rest });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/);
  expect(await owner.get(`/webhooks/${created.id}`)).toEqual(created);
  expect(await owner.get("/webhooks")).toEqual([created]);
});

test("an update changes what it names and nothing else", async () => {
  const { secret: _, ...webhook } = await owner.createWebhook();
  const path = `/webhooks/${webhook.id}`;
  const events = ["kyc.verified"];
  expect(await owner.ask("PATCH", path, { events })).toEqual({ ...webhook, events });
  expect(await owner.ask("PATCH", path, { description: "x" })).toEqual({ ...webhook, events, description: "x" });
  const url = "https://other.example.com/";
  expect(await owner.ask("PATCH", path, { url, description: null })).toEqual({ ...webhook, events, url });
  expect(await owner.get(path)).toEqual({ ...webhook, events, url });
});

test("disabling and enabling tell when the status changed, and a second time changes nothing", async () => {
  const { secret: _, ...webhook } = await owner.createWebhook();
  for (const verb of ["disable", "enable"]) {
    clock.advance(1000);
    const changed = { ...webhook, status: `${verb}d`, statusChangedAt: timeIn(0) };
    expect(await owner.ask("POST", `/webhooks/${webhook.id}/${verb}`)).toEqual(changed);
    clock.advance(1000);
    expect(await owner.ask("POST", `/webhooks/${webhook.id}/${verb}`)).toEqual(changed);
  }
});

test("a deleted webhook is answered as it was, and is then like one that never was", async () => {
  const { secret: _, ...webhook } = await owner.createWebhook();
  const path = `/webhooks/${webhook.id}`;
  expect(await owner.ask("DELETE", path)).toEqual(webhook);
  expect(await owner.get("/webhooks")).toEqual([]);
  for (const [method, verb, body] of [
    ["GET", ""],
    ["PATCH", "", { url: "https://taken-over.example.com" }],
    ["POST", "/disable"],
    ["POST", "/enable"],
    ["POST", "/roll-secret", {}],
    ["POST", "/test", { type: "wallet.created" }],
    ["POST", "/replay", { since: timeIn(-60_000) }],
    ["DELETE", ""],
  ] as const) {
    expect(await owner.call(method, path + verb, body)).toMatchObject(refused("NOT_FOUND"));
  }
});

describe("the secret", () => {
  const rowOf = (id: string) =>
    gateway.database.kysely.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const roll = (id: string, body: object): Promise<WebhookBody> =>
    owner.ask("POST", `/webhooks/${id}/roll-secret`, body);

  async function signingSecrets(id: string): Promise<string[]> {
    const row = await rowOf(id);
    return [row.secret, row.previous_secret].flatMap((sealed) =>
      sealed ? [openWebhookSecret(cipher, id, sealed)] : [],
    );
  }

  test("rolls with an overlap in which the old one still signs, and ends at once without", async () => {
    const { id, secret } = await owner.createWebhook();
    const rolled = await roll(id, { overlapSeconds: 3600 });
    expect(rolled.secretOverlapEndsAt).toBe(timeIn(3_600_000));
    expect(await signingSecrets(id)).toEqual([rolled.secret, secret]);
    const again = await roll(id, {});
    expect(again.secretOverlapEndsAt).toBe(timeIn(86_400_000));
    expect(await signingSecrets(id), "at most two sign").toEqual([again.secret, rolled.secret]);
    clock.advance(86_400_000);
    expect(await owner.get(`/webhooks/${id}`)).toMatchObject({ secretOverlapEndsAt: null });
    const last = await roll(id, { overlapSeconds: 0 });
    expect(last.secretOverlapEndsAt).toBeNull();
    expect(await signingSecrets(id)).toEqual([last.secret]);
  });

  test("is in no other answer, no log line, no error and no table", async () => {
    const webhook = await owner.createWebhook();
    const path = `/webhooks/${webhook.id}`;
    const { secret } = await roll(webhook.id, {});
    await owner.createWallet();
    const answers = [
      await owner.call("GET", "/webhooks"),
      await owner.call("GET", path),
      await owner.call("PATCH", path, { description: secret, secret }),
      await owner.call("GET", `/webhooks/${secret}`),
      await owner.call("GET", `/nothing/${secret}`),
      await owner.call("POST", `${path}/test`, { type: secret }),
      await owner.call("GET", "/deliveries"),
      await owner.call("DELETE", path),
    ];
    const dump = await dumpDatabase(gateway.database);
    expect(dump).toContain(webhook.id);
    const seen = [...answers.map(({ text }) => text), gateway.logLines.join(""), dump].join("\n");
    const parts = [webhook.secret, secret].flatMap((one) => [one, one.slice(6)]);
    expect(parts.filter((part) => holdsText(seen, part))).toEqual([]);
  });
});

/** One URL of each kind; egress.test.ts of the platform has all spellings. */
describe("a URL that may not receive events is 400 on the field url", () => {
  test.each([
    ...["http://example.com", "example.com", "https://user@example.com", "https://example.com:22"],
    ...["https://app.localhost", "https://127.1", "https://[::ffff:127.0.0.1]", "https://169.254.169.254"],
    ...["https://intranet", "https://private.example.com", "https://mixed.example.com", "https://exa mple.com"],
  ])("%s", async (url) => {
    expect(await owner.call("POST", "/webhooks", { ...hook, url })).toMatchObject(invalid("url"));
    const webhook = await owner.createWebhook();
    expect(await owner.call("PATCH", `/webhooks/${webhook.id}`, { url })).toMatchObject(invalid("url"));
    expect(await owner.get(`/webhooks/${webhook.id}`)).toMatchObject({ url: webhook.url });
  });

  test.each(["https://EXAMPLE.com:443/x", "https://not-up-yet.example.com", "https://172.32.0.1:1024"])(
    "but %s is taken",
    async (url) => {
      expect(await owner.ask("POST", "/webhooks", { ...hook, url })).toMatchObject({ url });
    },
  );
});

test("an account has at most 50 webhooks, also when several are created at once; a deleted one makes room", async () => {
  const webhooks: WebhookBody[] = [];
  for (let index = 0; index < 48; index += 1) {
    webhooks.push(await owner.createWebhook());
  }
  const create = () => owner.call("POST", "/webhooks", hook);
  expect(countCodes(await atOnce(6, create))).toEqual({ 201: 2, WEBHOOK_LIMIT_REACHED: 4 });
  await owner.ask("POST", `/webhooks/${webhooks[0]?.id}/disable`);
  expect(await create()).toMatchObject(refused("WEBHOOK_LIMIT_REACHED"));
  expect(await owner.get("/webhooks?limit=100")).toHaveLength(50);
  await owner.ask("DELETE", `/webhooks/${webhooks[1]?.id}`);
  await owner.createWebhook();
  expect(await create()).toMatchObject(refused("WEBHOOK_LIMIT_REACHED"));
});

describe("the check of events", () => {
  const check = createEventCheck(enforcedOpenapi());

  test.each(eventTypes)("takes the example of %s, and no field more, less or of another kind", (type) => {
    const event = exampleEvent(type);
    expect(() => check(type, event)).not.toThrow();
    expect(() => check(type, { ...event, extra: 1 })).toThrow("does not fit");
    expect(() => check(type, { ...event, created: "yesterday" })).toThrow("date-time");
    expect(() => check(type, { ...event, type: "wallet.exploded" })).toThrow("does not fit");
    expect(() => check(type, { ...event, data: { object: {} } })).toThrow("required");
    const secretive = { object: { ...event.data.object, secretField: "hush" } };
    expect(() => check(type, { ...event, data: secretive })).toThrow("does not fit");
  });

  test("names places and rules and repeats no value: its words end up in a log", () => {
    const event = { ...exampleEvent("wallet.created"), id: "evt_hush", livemode: "hush" };
    expect(() => check("wallet.created", event)).toThrow(/^(?!.*hush).*event\/id/);
  });
});

describe("hosts that are allowed although they are not public", () => {
  const allowing = useGateway({ env: { WEBHOOK_ALLOWED_HOSTS: "localhost, 127.0.0.1" } });

  test("are taken in the sandbox, and nothing else that is private", async () => {
    const client = await createWebhookClient(allowing);
    const create = async (url: string) => (await client.call("POST", "/webhooks", { ...hook, url })).status;
    const taken = ["https://localhost:9443/hook", "https://127.0.0.1:9443"];
    const others = ["https://127.0.0.2:9443", "https://app.localhost", "https://localhost:22", "http://localhost:9443"];
    expect(await Promise.all([...taken, ...others].map(create))).toEqual([201, 201, 400, 400, 400, 400]);
  });
});

/** Two names that resolve to private addresses; other hosts cannot be resolved yet. */
async function lookupAddresses(host: string): Promise<string[]> {
  const known = { "private.example.com": ["10.1.2.3"], "mixed.example.com": ["93.184.216.34", "127.0.0.1"] };
  return known[host as keyof typeof known] ?? Promise.reject(new Error(`There is no ${host}.`));
}
