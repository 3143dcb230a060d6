import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

describe("wallets", () => {
  let gateway: TestGateway;
  let key: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
    key = (await gateway.createKey(await gateway.createAccount(), "write")).secret;
  });
  afterAll(() => gateway.stop());

  test("a wallet reads back as it was created, unicode and all", async () => {
    const wallet = { name: "Reise-Kasse 🧳 ночь", currency: "JPY", metadata: { team: "旅", empty: "" } };
    const created = await gateway.call({ method: "POST", target: "/api/v1/wallets", key, body: wallet });
    expect(created).toMatchObject({
      status: 201,
      json: { data: { ...wallet, status: "active", balance: { available: 0, pending: 0, held: 0 } } },
    });
    const { id } = (created.json as { data: { id: string } }).data;
    const read = await gateway.call({ target: `/api/v1/wallets/${id}`, key });
    expect(read).toMatchObject({ status: 200, json: { data: (created.json as { data: object }).data } });
  });

  test("pages hold every wallet once, newest first, to the end", async () => {
    const account = await gateway.createAccount();
    const { secret } = await gateway.createKey(account, "read");
    const made: string[] = [];
    for (let index = 0; index < 7; index += 1) {
      const wallet = await gateway.platform.ledger.wallets.create({
        accountId: account.id,
        name: `W${index}`,
        currency: "EUR",
        metadata: {},
      });
      made.unshift(wallet.id);
    }
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const answer = await gateway.call({
        target: `/api/v1/wallets?limit=3${cursor && `&cursor=${cursor}`}`,
        key: secret,
      });
      expect(answer.status).toBe(200);
      const page = answer.json as { data: { id: string }[]; meta: { hasMore: boolean; nextCursor: string | null } };
      expect(page.meta.hasMore).toBe(page.meta.nextCursor !== null);
      seen.push(...page.data.map((wallet) => wallet.id));
      cursor = page.meta.nextCursor;
    }
    expect(seen).toEqual(made);
  });
});
