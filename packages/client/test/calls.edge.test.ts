import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { data, meta, page, refusal } from "./support/fake-gateway.ts";
import { apiKey, failureOf, startTestClient } from "./support/test-client.ts";

describe("calls by path", () => {
  test("open the envelope and keep the answer", async () => {
    const { client, gateway } = await startTestClient([data({ id: "wal_1" }, {}, { "Idempotency-Replayed": "true" })]);
    const opened = await client.GET("/api/v1/wallets/{walletId}", { params: { path: { walletId: "wal_1" } } });
    expect(opened).toMatchObject({ data: { id: "wal_1" }, meta });
    expect(opened.response.headers.get("Idempotency-Replayed")).toBe("true");
    expect(gateway.seen[0]).toMatchObject({
      method: "GET",
      path: "/api/v1/wallets/wal_1",
      headers: { "x-api-key": apiKey },
    });
  });

  test("of a page with a session carry a mark in the place of a secret, and a refusal is not asked about twice", async () => {
    const { client, gateway } = await startTestClient([data({}), refusal(401, "UNAUTHENTICATED")], {
      session: "cookie",
    });
    await client.account.get();
    expect(await failureOf(client.account.get())).toMatchObject({ status: 401 });
    expect(gateway.seen).toHaveLength(2);
    const { headers = {} } = gateway.seen[0] ?? {};
    expect(headers["x-console"]).toBe("1");
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("x-api-key");
  });

  test("send query, body and headers", async () => {
    const { client, gateway } = await startTestClient([data([], { hasMore: false, nextCursor: null })]);
    await client.GET("/api/v1/deliveries", {
      params: { query: { status: "failed", limit: 5 } },
      headers: { traceparent: "00-1" },
    });
    await client.PATCH("/api/v1/webhooks/{webhookId}", {
      params: { path: { webhookId: "whk_1" } },
      body: { events: ["wallet.created"] },
    });
    await client.DELETE("/api/v1/api-keys/{apiKeyId}", { params: { path: { apiKeyId: "key_1" } } });
    expect(gateway.seen).toMatchObject([
      { method: "GET", path: "/api/v1/deliveries?status=failed&limit=5", headers: { traceparent: "00-1" } },
      { method: "PATCH", path: "/api/v1/webhooks/whk_1", body: '{"events":["wallet.created"]}' },
      { method: "DELETE", path: "/api/v1/api-keys/key_1", body: "" },
    ]);
    expect(gateway.seen.map(({ headers }) => headers["content-type"])).toEqual([
      undefined,
      "application/json",
      undefined,
    ]);
  });
});

test("fields and values that are newer than the client are handed on", async () => {
  const newer = {
    id: "dlv_1",
    priority: "high",
    attempts: [{ outcome: "rejected_by_policy", region: { name: "eu" } }],
  };
  const { client } = await startTestClient([data(newer, { traceId: "t" })]);
  expect(
    await client.GET("/api/v1/deliveries/{deliveryId}", { params: { path: { deliveryId: "dlv_1" } } }),
  ).toMatchObject({ data: newer, meta: { ...meta, traceId: "t" } });
  const delivery = await client.deliveries.get("dlv_1");
  expect(delivery).toEqual(newer);
  expect(delivery.attempts[0]?.outcome).toBe("rejected_by_policy");
});

describe("calls by noun", () => {
  test("take the ids, then the body, then the options, and give the data", async () => {
    const { client, gateway } = await startTestClient([data({ id: "whk_1" })]);
    expect(await client.webhooks.rollSecret("whk_1", { overlapSeconds: 0 }, { idempotencyKey: "k" })).toEqual({
      id: "whk_1",
    });
    expect(await client.webhooks.enable("whk_1", { headers: { traceparent: "00-1" } })).toEqual({ id: "whk_1" });
    expect(gateway.seen).toMatchObject([
      {
        method: "POST",
        path: "/api/v1/webhooks/whk_1/roll-secret",
        body: '{"overlapSeconds":0}',
        headers: { "idempotency-key": "k" },
      },
      { method: "POST", path: "/api/v1/webhooks/whk_1/enable", body: "", headers: { traceparent: "00-1" } },
    ]);
  });

  test("a body of which all may be left out may be left out", async () => {
    const { client, gateway } = await startTestClient([data({ id: "whk_1" })]);
    await client.webhooks.rollSecret("whk_1");
    expect(gateway.seen[0]).toMatchObject({ body: "{}" });
  });

  test("give the whole of a success where it is asked for: the request's id and the headers", async () => {
    const { client } = await startTestClient([data({ id: "wal_1" }, {}, { "Idempotency-Replayed": "true" })]);
    const opened = await client.wallets.create({ name: "a", currency: "EUR" }).withResponse();
    expect(opened).toMatchObject({ data: { id: "wal_1" }, meta: { requestId: meta.requestId } });
    expect(opened.response.headers.get("Idempotency-Replayed")).toBe("true");
  });

  test("fail once, where the whole is asked for", async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on("unhandledRejection", note);
    const { client } = await startTestClient([refusal(404, "NOT_FOUND")]);
    expect(await failureOf(client.wallets.get("wal_1").withResponse())).toMatchObject({ code: "NOT_FOUND" });
    await setImmediate();
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("an id is one step of the path, whatever is in it", async () => {
    const { client, gateway } = await startTestClient([data({})]);
    await client.wallets.get("../api-keys?x=#é");
    expect(gateway.seen[0]?.path).toBe("/api/v1/wallets/..%2Fapi-keys%3Fx%3D%23%C3%A9");
  });

  test.each(["", ".", "..", undefined, null, {}])(
    "the id %j would lead to another operation, and nothing is sent",
    async (id) => {
      const { client, gateway } = await startTestClient([data({})]);
      const error = await failureOf(client.webhooks.delete(id as string));
      expect(error).toBeInstanceOf(TypeError);
      expect(error).toMatchObject({ message: expect.stringMatching(/^webhookId must be an id/) });
      expect(gateway.seen).toEqual([]);
    },
  );
});

describe("a list", () => {
  const three = [page(["wal_5", "wal_4"], "two"), page(["wal_3", "wal_2"], "three"), page(["wal_1"], null)];

  test("asks for nothing until it is walked, and then for a page at a time", async () => {
    const { client, gateway } = await startTestClient(three);
    const list = client.wallets.list({ limit: 2 });
    expect(gateway.seen).toEqual([]);
    const seen: [id: string, requests: number][] = [];
    for await (const { id } of list) {
      seen.push([id, gateway.seen.length]);
    }
    expect(seen).toEqual([
      ["wal_5", 1],
      ["wal_4", 1],
      ["wal_3", 2],
      ["wal_2", 2],
      ["wal_1", 3],
    ]);
    expect(gateway.seen.map(({ path }) => path)).toEqual([
      "/api/v1/wallets?limit=2",
      "/api/v1/wallets?limit=2&cursor=two",
      "/api/v1/wallets?limit=2&cursor=three",
    ]);
  });

  test("stops asking when the walk is broken off", async () => {
    const { client, gateway } = await startTestClient(three);
    for await (const { id } of client.wallets.list()) {
      expect(id).toBe("wal_5");
      break;
    }
    expect(gateway.seen).toHaveLength(1);
  });

  test("goes page by page, with what each says of itself", async () => {
    const { client } = await startTestClient(three);
    const pages = await Array.fromAsync(client.wallets.list().pages());
    expect(pages.map((one) => [one.data.length, one.meta.hasMore, one.meta.nextCursor])).toEqual([
      [2, true, "two"],
      [2, true, "three"],
      [1, false, null],
    ]);
    expect(pages[0]?.meta.requestId).toBe(meta.requestId);
  });

  test("gives one page: the first, that of a cursor, or where the query begins", async () => {
    const { client, gateway } = await startTestClient(three);
    const list = client.wallets.list({ limit: 2, cursor: "begin" });
    await list.page();
    await list.page({ cursor: "other" });
    expect(gateway.seen.map(({ path }) => path)).toEqual([
      "/api/v1/wallets?limit=2&cursor=begin",
      "/api/v1/wallets?limit=2&cursor=other",
    ]);
  });

  test("each page has its answer", async () => {
    const { client } = await startTestClient([data([], { hasMore: false, nextCursor: null }, { "X-Own": "yes" })]);
    expect((await client.wallets.list().page()).response.headers.get("X-Own")).toBe("yes");
  });

  test.each([
    [1, ["wal_5"], 1],
    [2, ["wal_5", "wal_4"], 1],
    [3, ["wal_5", "wal_4", "wal_3"], 2],
    [10_000, ["wal_5", "wal_4", "wal_3", "wal_2", "wal_1"], 3],
  ])("as an array has at most %i, and no page is asked for beyond them", async (limit, ids, requests) => {
    const { client, gateway } = await startTestClient(three);
    const wallets = await client.wallets.list({ limit: 2 }).toArray(limit);
    expect(wallets.map(({ id }) => id)).toEqual(ids);
    expect(gateway.seen).toHaveLength(requests);
  });

  test.each([0, -1, 1.5, 10_001, Infinity, NaN, undefined])("as an array takes no limit of %j", async (limit) => {
    const { client, gateway } = await startTestClient(three);
    expect(await failureOf(client.wallets.list().toArray(limit as number))).toMatchObject({
      name: "TypeError",
      message: "toArray takes a limit from 1 to 10000; walk the list for more.",
    });
    expect(gateway.seen).toEqual([]);
  });

  test("ends with the failure of a page, after what came before it", async () => {
    const { client } = await startTestClient([three[0] ?? page([], null), (res) => res.writeHead(403).end("{}")]);
    const seen: string[] = [];
    const walk = async (): Promise<void> => {
      for await (const { id } of client.wallets.list()) {
        seen.push(id);
      }
    };
    expect(await failureOf(walk())).toMatchObject({ name: "PermissionError" });
    expect(seen).toEqual(["wal_5", "wal_4"]);
  });
});

test("the client knows how the account stands with its limit, as of the latest answer", async () => {
  const headers = { "X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "59", "X-RateLimit-Reset": "1773056880" };
  const { client } = await startTestClient([data({}, {}, headers), data({})]);
  expect(client.rateLimit).toBeNull();
  await client.account.get();
  expect(client.rateLimit).toEqual({ limit: 60, remaining: 59, resetsAt: new Date(1_773_056_880_000) });
  await client.account.get();
  expect(client.rateLimit).toBeNull();
});
