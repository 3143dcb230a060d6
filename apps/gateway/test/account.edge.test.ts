import type { Schemas } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Answer } from "./support/http-client.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const target = "/api/v1/account";

describe("the name of an account", () => {
  let gateway: TestGateway;
  let account: Account;
  let key: string;

  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  beforeEach(async () => {
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
  });
  afterAll(() => gateway.stop());

  const update = (body: object): Promise<Answer> => gateway.call({ method: "PATCH", target, key, body });
  const nameOf = ({ json }: Answer): string => (json as { data: Schemas["Account"] }).data.name;

  test("is its address until it is given one, and nothing else of it changes then", async () => {
    const before = await gateway.call({ target, key });
    expect(nameOf(before)).toBe(account.email);
    // How much of the limit is used is said to who asks for the account.
    const { rateLimit, ...data } = (before.json as { data: Record<string, unknown> }).data;
    expect(rateLimit).toEqual({ requestsPerMinute: 1_000_000, used: expect.any(Number), resetsAt: expect.any(String) });
    expect(await update({ name: "Bücher & Söhne 📚" })).toMatchObject({
      status: 200,
      json: { data: { ...data, rateLimit: { requestsPerMinute: 1_000_000 }, name: "Bücher & Söhne 📚" } },
    });
    expect(nameOf(await gateway.call({ target, key }))).toBe("Bücher & Söhne 📚");
  });

  test("may be the same as another's: it tells nobody apart", async () => {
    const other = await gateway.createAccount();
    await gateway.platform.accounts.rename({ id: other.id, name: "Acme" });
    expect((await update({ name: "Acme" })).status).toBe(200);
  });

  test.each([
    {},
    { name: "" },
    { name: null },
    { name: "x".repeat(101) },
    { name: "line\nbreak" },
    { name: "Acme\u202e" },
    { name: "Ac\u200bme" },
    { name: "\u3164" },
    { name: "Acme", email: "nobody" },
    { name: "Acme", tier: "enterprise" },
  ])("400 for %j, and it stays as it was", async (body) => {
    expect((await update(body)).status).toBe(400);
    expect(nameOf(await gateway.call({ target, key }))).toBe(account.email);
  });
});
