import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "../apps/gateway/test/support/test-gateway.ts";
import {
  AuthenticationError,
  ConflictError,
  createClient,
  formatMoney,
  NotFoundError,
  parseMoney,
  PermissionError,
  RateLimitError,
  ValidationError,
  type Client,
} from "../packages/client/src/index.ts";
import { startLosingProxy } from "./support/losing-proxy.ts";

let gateway: TestGateway;
let accountId: string;
let apiKey: string;
let client: Client;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  const account = await gateway.createAccount();
  accountId = account.id;
  apiKey = (await gateway.createKey(account, "admin")).secret;
  client = createClient({ apiKey, baseUrl: baseUrl() });
});

describe("the client at the gateway", () => {
  test("walks a list over all its pages, newest first", async () => {
    const names = ["one", "two", "three", "four", "five"];
    for (const name of names) {
      await client.wallets.create({ name, currency: "EUR" });
    }
    const wallets = await Array.fromAsync(client.wallets.list({ limit: 2 }));
    expect(wallets.map(({ name }) => name)).toEqual(names.toReversed());
    const pages = await Array.fromAsync(client.wallets.list({ limit: 2 }).pages());
    expect(pages.map(({ data }) => data.length)).toEqual([2, 2, 1]);
  });

  test("does a webhook's whole life by noun", async () => {
    const { id, secret } = await client.webhooks.create({
      url: "https://receiver.example/",
      events: ["wallet.created"],
    });
    expect((await client.webhooks.rollSecret(id)).secret).not.toBe(secret);
    expect(await client.webhooks.update(id, { description: "ours" })).toMatchObject({ id, description: "ours" });
    expect(await client.webhooks.disable(id)).toMatchObject({ status: "disabled" });
    expect(await client.webhooks.enable(id)).toMatchObject({ status: "enabled" });
    const { eventId } = await client.webhooks.sendTestEvent(id, { type: "payment.settled" });
    const [delivery] = await Array.fromAsync(client.deliveries.list({ webhookId: id }));
    expect(delivery).toMatchObject({ eventId, status: "pending" });
    expect(await client.webhooks.delete(id)).toMatchObject({ id });
    await expect(client.webhooks.get(id)).rejects.toThrow(NotFoundError);
  });

  test("moves the clock of the account in the sandbox", async () => {
    const before = await client.sandbox.clock.get();
    expect(before).toMatchObject({ aheadSeconds: 0 });
    const { now } = await client.sandbox.clock.advance({ seconds: 86_400 });
    expect(Date.parse(now) - Date.parse(before.now)).toBeGreaterThanOrEqual(86_400_000);
    expect(await client.sandbox.clock.get()).toMatchObject({ aheadSeconds: 86_400 });
  });

  test("carries 2^53 - 1 byte for byte: typed by a person, booked, and read back", async () => {
    const texts: string[] = [];
    const watched = createClient({
      apiKey,
      baseUrl: baseUrl(),
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        texts.push(`${init.method} ${await new Request(url, init).text()} ${await answer.clone().text()}`);
        return answer;
      },
    });
    const amount = parseMoney("90071992547409.91", "EUR");
    const [from, to] = [await createWallet(), await createWallet()];
    await gateway.platform.ledger.transactions.adjust({
      ...{ walletId: from.walletId, direction: "credit", amountMinor: amount, reason: "Opening" },
    });
    const { id, entries } = await watched.ledgerTransactions.create({
      entries: [
        { ledgerAccountId: from.available, direction: "debit", amount },
        { ledgerAccountId: to.available, direction: "credit", amount },
      ],
    });
    expect(entries.map((entry) => [entry.amount, entry.balanceAfter])).toEqual([
      [9_007_199_254_740_991, 0],
      [9_007_199_254_740_991, 9_007_199_254_740_991],
    ]);
    expect((await watched.ledgerTransactions.get(id)).entries).toEqual(entries);
    const { balance } = await watched.wallets.get(to.walletId);
    expect(balance).toEqual({ available: amount, pending: 0, held: 0 });
    expect(await Array.fromAsync(watched.ledgerEntries.list({ walletId: to.walletId }))).toMatchObject([
      { amount, balanceAfter: amount },
    ]);
    expect(await watched.ledgerAccounts.get(to.available)).toMatchObject({ balance: amount });
    expect(formatMoney(balance.available, "EUR")).toBe("EUR 90071992547409.91");
    // The request has the amount twice. A response has it in each entry, and in each balance that equals it.
    expect(texts.map((text) => [text.split(" ", 1)[0], text.match(/(?<=:)9007199254740991(?=[,}])/g)?.length])).toEqual(
      [
        ["POST", 2 + 3],
        ["GET", 3],
        ["GET", 1],
        ["GET", 2],
        ["GET", 1],
      ],
    );
  });

  test("does a piece of work once under its name, and shows that the answer is the first one", async () => {
    const idempotencyKey = randomUUID();
    const body = { name: "Payroll", currency: "EUR" } as const;
    const first = await client.POST("/api/v1/wallets", { body, idempotencyKey });
    const second = await client.POST("/api/v1/wallets", { body, idempotencyKey });
    expect(second.data).toEqual(first.data);
    expect(second.response.headers.get("Idempotency-Replayed")).toBe("true");
    expect(await countWallets()).toBe(1);
    await expect(client.wallets.create({ name: "Other", currency: "EUR" }, { idempotencyKey })).rejects.toThrow(
      ConflictError,
    );
  });

  test("knows how the account stands with its limit", async () => {
    await client.account.get();
    expect(client.rateLimit).toMatchObject({ limit: 1_000_000, resetsAt: expect.any(Date) });
  });
});

describe("a POST whose answer is lost", () => {
  test("is done once: the retry gets the first answer", async () => {
    let losses = 0;
    const proxy = await startLosingProxy(gateway.port, ({ method }) => method === "POST" && ++losses <= 2);
    try {
      const behind = createClient({ apiKey, baseUrl: proxy.url });
      const wallet = await behind.wallets.create({ name: "Payroll", currency: "EUR" });
      expect(proxy.lost()).toBe(2);
      expect(await countWallets()).toBe(1);
      expect(await Array.fromAsync(client.wallets.list())).toEqual([wallet]);
    } finally {
      await proxy.stop();
    }
  });
});

describe("a refusal of the gateway", () => {
  test("of fields is a ValidationError that names each", async () => {
    const error = await failureOf(client.wallets.create({ name: "", currency: "DOGE" as "EUR" }));
    expect(error).toBeInstanceOf(ValidationError);
    expect((error as ValidationError).details.map(({ field }) => field).sort()).toEqual(["currency", "name"]);
    expect(error).toMatchObject({
      status: 400,
      code: "INVALID_REQUEST",
      requestId: expect.stringMatching(/^req_/) as unknown,
    });
  });

  test("of an unknown key, a small permission, an id that is not there", async () => {
    const unknown = createClient({ apiKey: apiKey.replace(/.{6}$/, "000000"), baseUrl: baseUrl() });
    expect(await failureOf(unknown.account.get())).toBeInstanceOf(AuthenticationError);
    const { secret } = await client.apiKeys.create({ name: "reader", permission: "read" });
    const reader = createClient({ apiKey: secret, baseUrl: baseUrl() });
    expect(await failureOf(reader.wallets.create({ name: "a", currency: "EUR" }))).toBeInstanceOf(PermissionError);
    expect(await failureOf(client.wallets.get("wal_01k00000000000000000000000"))).toBeInstanceOf(NotFoundError);
  });

  test("past the limit is a RateLimitError that says when to come back", async () => {
    const account = await gateway.createAccount({ tier: "explorer" });
    const { secret } = await gateway.createKey(account, "read");
    const explorer = createClient({ apiKey: secret, baseUrl: baseUrl(), maxRetries: 0 });
    for (let count = 0; count < 10; count += 1) {
      await explorer.account.get();
    }
    const error = await failureOf(explorer.account.get());
    expect(error).toBeInstanceOf(RateLimitError);
    expect((error as RateLimitError).retryAfterMs).toBeGreaterThan(50_000);
    expect(explorer.rateLimit).toMatchObject({ limit: 10, remaining: 0 });
  });
});

async function createWallet(): Promise<{ walletId: string; available: string }> {
  const { id: walletId } = await client.wallets.create({ name: "W", currency: "EUR" });
  const accounts = await Array.fromAsync(client.ledgerAccounts.list());
  const available = accounts.find((one) => one.walletId === walletId && one.purpose === "available")?.id ?? "";
  return { walletId, available };
}

function baseUrl(): string {
  return `http://127.0.0.1:${gateway.port}`;
}

async function countWallets(): Promise<number> {
  const rows = await gateway.database.kysely
    .selectFrom("wallets")
    .select("id")
    .where("account_id", "=", accountId)
    .execute();
  return rows.length;
}

function failureOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "It succeeded.",
    (error: unknown) => error,
  );
}
