import { createTypeId } from "@gateway/kernel";
import type { Role } from "@gateway/platform/accounts";
import { createTestClock, holdLock, waitFor, type TestClock, useEach } from "@gateway/testkit";
import { sql } from "kysely";
import { once } from "node:events";
import { connect } from "node:net";
import pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { maxWaitersOfAccount } from "../src/waiting/waiters.ts";
import { dataOf } from "./support/answers.ts";
import type { Answer } from "./support/http-client.ts";
import {
  countWaiting,
  startSandglass as startSandglassOf,
  whenWaiting as whenSoManyWait,
  type Sandglass,
} from "./support/start-sandglass.ts";
import { startTestGateway } from "./support/test-gateway.ts";
import { bearer, createTestGrant, mintToken, type TestGrant } from "./support/test-issuer.ts";
import { createWebhookClient, type EventBody } from "./support/webhook-client.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

type Followed = { data: EventBody[]; meta: { hasMore: boolean; nextCursor: string | null; after: string } };

const dayMs = 86_400_000;
const most = maxWaitersOfAccount.api;

const issuer = useIssuer();
// Without a net, a response before its time proves a notification. The limit's window of an hour does not end during a
// test, even on a busy machine.
const gateway = useGateway({ issuer, waitersHaveNet: false, rateLimitWindowSeconds: 3_600 });
const owner = useEach(() => createWebhookClient(gateway));

async function follow(query: string, client = owner): Promise<Followed> {
  const answer = await client.call("GET", `/events?${query}`);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return answer.json as Followed;
}

const placeNow = async (): Promise<string> => (await follow("limit=1")).meta.after;

/** Inserts an event in a transaction of its own. Others do not see the event before `end`. */
async function beginEvent(): Promise<{ id: string; end(): Promise<void> }> {
  const client = new pg.Client(gateway.databaseUrl);
  await client.connect();
  onTestFinished(() => client.end());
  const id = createTypeId("evt");
  await client.query("begin");
  await client.query(
    `insert into events (id, account_id, type, body, created_at)
     select $1, $2, type, jsonb_set(body::jsonb, '{id}', to_jsonb($1::text))::text, created_at from events limit 1`,
    [id, owner.account.id],
  );
  return { id, end: async () => void (await client.query("commit")) };
}

const whenWaiting = (count = 1): Promise<void> => whenSoManyWait(gateway, { count, accountId: owner.account.id });

async function startSandglass(): Promise<Sandglass> {
  const other = await createWebhookClient(gateway);
  return startSandglassOf(gateway, {
    accountId: other.account.id,
    begin: () => follow("waitSeconds=25", other),
    end: () => other.createWallet(),
  });
}

async function readGauge(name: string): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${gateway.metricsPort}/metrics`)).text();
  return Number(new RegExp(`^${name} (.*)$`, "m").exec(metrics)?.[1]);
}

/** follow.edge.test.ts of the engine has late commits, restarts of Postgres, and many followers. */
describe("what is told", () => {
  test("is all from the oldest on, oldest first, a page at a time, and then what comes, whatever the limit", async () => {
    const wallets = [];
    for (let count = 0; count < 5; count += 1) {
      wallets.push((await owner.createWallet()).id);
    }
    const seen: unknown[] = [];
    let page = await follow("waitSeconds=0&limit=2");
    for (; page.meta.hasMore; page = await follow(`limit=2&after=${page.meta.after}`)) {
      expect(page.data).toHaveLength(2);
      seen.push(...page.data);
    }
    seen.push(...page.data);
    expect(seen).toMatchObject(wallets.map((id) => ({ data: { object: { id } } })));
    expect(page.meta).toMatchObject({ hasMore: false, nextCursor: null });

    const empty = await follow(`after=${page.meta.after}`);
    expect(empty.data).toEqual([]);
    const { id } = await owner.createWallet();
    // The place before the empty response and the place of that response are equally valid.
    for (const after of [page.meta.after, empty.meta.after]) {
      expect((await follow(`after=${after}`)).data).toMatchObject([{ data: { object: { id } } }]);
    }
  });

  test.each([1, 20, 100])(
    "of a database that was taken back is told again once, %i a page, and what was written there since is not missed",
    async (limit) => {
      const before = await createEvents(30);
      const half = await follow("waitSeconds=0&limit=15");
      await takeBack();
      const fresh = await createEvents(220);

      const told: string[] = [];
      let page = await follow(`limit=${limit}&after=${half.meta.after}`);
      for (; page.meta.hasMore; page = await follow(`limit=${limit}&after=${page.meta.after}`)) {
        told.push(...page.data.map((event) => event.id));
      }
      told.push(...page.data.map((event) => event.id));
      expect(told).toEqual([...new Set(told)]);
      expect(new Set([...half.data.map((event) => event.id), ...told])).toEqual(new Set([...before, ...fresh]));
      expect((await follow(`after=${page.meta.after}`)).data).toEqual([]);
    },
  );
});

/** Restores a backup that has the events, and was made before the first of them was followed. */
async function takeBack(): Promise<void> {
  const { kysely } = gateway.database;
  await sql`update events set follow_epoch = null, follow_number = null where account_id = ${owner.account.id}`.execute(
    kysely,
  );
  await sql`delete from follow_numbers where account_id = ${owner.account.id}`.execute(kysely);
}

/** Returns the ids of the events in their order. */
async function createEvents(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => createTypeId("evt"));
  await sql`
    insert into events (id, account_id, type, body, created_at)
    select made.id, ${owner.account.id}, type, jsonb_set(body::jsonb, '{id}', to_jsonb(made.id))::text, created_at
    from unnest(${ids}::text[]) made (id), (select * from events limit 1) sample
  `.execute(gateway.database.kysely);
  return ids;
}

describe("400 for", () => {
  test.each([
    ["a place that nobody told", "after=abc"],
    ["a type beside a wait", "waitSeconds=0&type=wallet.created"],
  ])("%s", async (_, query) => {
    expect(await owner.call("GET", `/events?${query}`)).toMatchObject({ status: 400 });
  });

  test("a cursor and a type beside a place, a place of another account, and one of the list's cursors", async () => {
    await owner.createWallet();
    await owner.createWallet();
    const { meta } = await follow("limit=1");
    expect((await follow(`limit=1&cursor=${meta.nextCursor}`)).meta.after, "only the first page names one").toBeNull();
    const other = await createWebhookClient(gateway);
    const refused = [
      await owner.call("GET", `/events?after=${meta.after}&cursor=${meta.nextCursor}`),
      await owner.call("GET", `/events?after=${meta.after}&type=wallet.created`),
      await owner.call("GET", `/events?after=${meta.nextCursor}`),
      await other.call("GET", `/events?after=${meta.after}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    expect(refused[1]?.text).toContain("The field type must not be combined with after.");
  });
});

test("a place is good for 30 days, and not a millisecond longer: some of what came after it is gone", async () => {
  const clock: TestClock = createTestClock(Date.now());
  const aging = await startTestGateway({ clock, keepsStill: true });
  onTestFinished(() => aging.stop());
  const client = await createWebhookClient(aging);
  const { meta } = await follow("limit=1", client);
  clock.advance(30 * dayMs);
  expect((await follow(`after=${meta.after}`, client)).data).toEqual([]);
  clock.advance(1);
  const refused = await client.call("GET", `/events?after=${meta.after}`);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("is more than 30 days old");
});

describe("who waits", () => {
  test("is answered when something happens, of any process, and else when the time is over", async () => {
    await owner.createWallet();
    const after = await placeNow();
    const empty = await follow(`after=${after}&waitSeconds=1`);
    expect(empty.data).toEqual([]);

    const sandglass = await startSandglass();
    const waiting = follow(`after=${empty.meta.after}&waitSeconds=25`);
    await whenWaiting(2);
    const event = await beginEvent();
    await event.end();
    expect((await waiting).data.map(({ id }) => id)).toEqual([event.id]);
    await sandglass.expectRunning();
    await sandglass.stop();
  });

  test("holds no connection, counts once, and says what it waited", async () => {
    const { account, key } = owner;
    await owner.createWallet();
    const after = await placeNow();
    const remaining = async () => Number((await owner.call("GET", "/account")).headers["x-ratelimit-remaining"]);
    const before = await remaining();
    const target = `/api/v1/events?after=${after}&waitSeconds=25`;
    const waiting = Array.from({ length: most }, () => gateway.call({ target, key }));
    await whenWaiting(most);
    await waitFor(async () => (await readGauge("gateway_database_pool_in_use")) === 0);
    await (await beginEvent()).end();
    await Promise.all(waiting);
    expect(before - (await remaining())).toBe(most + 1);
    const lines = gateway.logLines.map((line) => JSON.parse(line) as { accountId?: string; waitedMs?: number });
    const waited = lines.filter(({ accountId, waitedMs }) => accountId === account.id && waitedMs !== undefined);
    expect(waited).toHaveLength(most);
  });

  test("is one of 20 of an account: the 21st is 429 with Retry-After, those of others wait, and it may ask without waiting", async () => {
    await owner.createWallet();
    const after = await placeNow();
    const waiting = Array.from({ length: 20 }, () => follow(`after=${after}&waitSeconds=25`));
    await whenWaiting(20);
    const refused = await owner.call("GET", `/events?after=${after}&waitSeconds=25`);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("1");
    expect(refused.text).toContain("20 requests of this account are already waiting");
    expect((await follow(`after=${after}`)).data).toEqual([]);
    const other = await createWebhookClient(gateway);
    expect((await follow("waitSeconds=1", other)).data).toEqual([]);
    await owner.createWallet();
    expect((await Promise.all(waiting)).every(({ data }) => data.length === 1)).toBe(true);
  });

  test("at the console takes no place of a program, nor a program one of the console's", async () => {
    await owner.createWallet();
    const { account } = owner;
    const headers = bearer(await mintToken(issuer, await createTestGrant(gateway, account, { isConsole: true })));
    const after = await placeNow();
    const target = `/api/v1/events?after=${after}&waitSeconds=25`;
    const pages = Array.from({ length: maxWaitersOfAccount.console }, () => gateway.call({ target, headers }));
    await whenWaiting(maxWaitersOfAccount.console);
    const oneMore = await gateway.call({ target, headers });
    expect({ status: oneMore.status, retryAfter: oneMore.headers["retry-after"] }).toEqual({
      status: 429,
      retryAfter: "1",
    });
    const programs = Array.from({ length: most }, () => follow(`after=${after}&waitSeconds=25`));
    await whenWaiting(maxWaitersOfAccount.console + most);
    const tried = await gateway.call({ target, headers: { ...headers, "X-Console": "try" } });
    expect(tried.status).toBe(429);
    await owner.createWallet();
    expect((await Promise.all(pages)).map(({ status }) => status)).toEqual(pages.map(() => 200));
    expect((await Promise.all(programs)).every(({ data }) => data.length === 1)).toBe(true);
  });

  test("is not waited for when they have gone", async () => {
    const gone = new AbortController();
    const sandglass = await startSandglass();
    const asked = fetch(`http://127.0.0.1:${gateway.port}/api/v1/events?waitSeconds=25`, {
      headers: { "X-API-Key": owner.key },
      signal: gone.signal,
    });
    await whenWaiting(2);
    gone.abort();
    await expect(asked).rejects.toThrow();
    await waitFor(async () => (await readGauge("gateway_waiting_requests")) < 2);
    await sandglass.expectRunning();
    await sandglass.stop();
  });
});

describe("who loses their credential while they wait gets nothing, before the time is over", () => {
  /** The notification of the revocation and an event come together. The response must not contain the event. */
  async function endAnswer(ask: () => Promise<Answer>, revoke: () => Promise<unknown>): Promise<Answer> {
    const sandglass = await startSandglass();
    const waiting = ask();
    await whenWaiting(2);
    await revoke();
    const event = await beginEvent();
    await event.end();
    const answer = await waiting;
    await sandglass.expectRunning();
    await sandglass.stop();
    expect(answer.text).not.toContain(event.id);
    return answer;
  }

  type Loss = { as: { key: string } | { headers: Record<string, string> }; revoke(): Promise<unknown> };
  const byGrant = async (role: Role, revoke: (grant: TestGrant) => Promise<unknown>): Promise<Loss> => {
    const grant = await createTestGrant(gateway, owner.account, { role });
    return { as: { headers: bearer(await mintToken(issuer, grant)) }, revoke: () => revoke(grant) };
  };

  test.each<[who: string, status: number, prepare: () => Promise<Loss>]>([
    [
      "a revoked key",
      401,
      async () => {
        const { id, secret: key } = await gateway.createKey(owner.account, "read");
        const own = { id, accountId: owner.account.id };
        const revoke = () => gateway.platform.transaction(({ accounts }) => accounts.apiKeys.revoke(own));
        return { as: { key }, revoke };
      },
    ],
    [
      "a person who is removed",
      401,
      () =>
        byGrant("viewer", ({ personId: id, accountId }) =>
          gateway.platform.transaction(({ accounts }) => accounts.people.remove({ id, accountId })),
        ),
    ],
    [
      "a person whose application may not read any more",
      403,
      () =>
        byGrant("owner", ({ applicationId: id, accountId }) =>
          gateway.platform.accounts.oauthApplications.update({ id, accountId, scopes: ["openid"] }),
        ),
    ],
    [
      "a suspended account",
      403,
      async () => {
        const suspend = gateway.database.kysely.updateTable("accounts").set({ suspended_at: new Date() });
        return { as: owner, revoke: () => suspend.where("id", "=", owner.account.id).execute() };
      },
    ],
  ])("%s: %i", async (_who, status, prepare) => {
    await owner.createWallet();
    const { as, revoke } = await prepare();
    const target = `/api/v1/events?after=${await placeNow()}&waitSeconds=25`;
    const sent = "key" in as ? { target, key: as.key } : { target, headers: as.headers };
    expect((await endAnswer(() => gateway.call(sent), revoke)).status).toBe(status);
  });
});

test("a program that stops answers those who wait at once, with the place to go on from", async () => {
  const stopping = await startTestGateway();
  const client = await createWebhookClient(stopping);
  const waiting = follow("waitSeconds=25", client);
  await waitFor(async () =>
    (await (await fetch(`http://127.0.0.1:${stopping.metricsPort}/metrics`)).text()).includes(
      "gateway_waiting_requests 1",
    ),
  );
  // A stop waits 2 s for requests that do not end, and then cuts their connections.
  const [page] = await Promise.all([waiting, stopping.stop()]);
  expect(page).toMatchObject({ data: [], meta: { after: expect.any(String) } });
});

describe("requests that are followed", () => {
  type Followed = {
    data: { id: string; operationId: string | null; source: string; durationMs: number }[];
    meta: { hasMore: boolean; nextCursor: string | null; after: string; gaps: unknown[] };
  };

  type As = { key: string } | { headers: Record<string, string> };

  const ask = (query: string, as: As = { key: owner.key }): Promise<Answer> =>
    gateway.call({ target: `/api/v1/request-logs?${query}`, ...as });

  async function follow(query: string, as: As = { key: owner.key }): Promise<Followed> {
    const answer = await ask(query, as);
    expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
    return answer.json as Followed;
  }

  const idOf = (answer: Answer): string => String(answer.headers["x-request-id"]);

  /** Sends a request, and returns its id. */
  const read = async (target: string, as: As = { key: owner.key }): Promise<string> =>
    idOf(await gateway.call({ target: `/api/v1/${target}`, ...as }));

  async function whenStored(requestId: string): Promise<void> {
    await waitFor(async () => {
      const { rows } = await sql`
      select from request_logs where id = ${requestId}
    `.execute(gateway.database.kysely);
      return rows.length === 1;
    });
  }

  async function startSandglass(): Promise<Sandglass> {
    const other = await gateway.createAccount();
    const otherKey = { key: (await gateway.createKey(other, "read")).secret };
    return startSandglassOf(gateway, {
      accountId: other.id,
      begin: () => follow("waitSeconds=25", otherKey),
      end: () => read("account", otherKey),
    });
  }

  /** All notifications of credentials sent so far have been received, and cause no further look-up. */
  async function whenHeard(): Promise<void> {
    const other = await gateway.createAccount();
    const { id, secret } = await gateway.createKey(other, "read");
    const status = async (): Promise<number> => (await gateway.call({ target: "/api/v1/account", key: secret })).status;
    expect(await status()).toBe(200);
    await gateway.platform.transaction(({ accounts }) => accounts.apiKeys.revoke({ id, accountId: other.id }));
    await waitFor(async () => (await status()) !== 200);
  }

  const idsOf = ({ data }: Followed): string[] => data.map(({ id }) => id);

  describe("who follows requests", () => {
    test("is answered by the next one, before the time is over, and not by their own asking", async () => {
      const { meta } = await follow("limit=1");
      const empty = await follow(`after=${meta.after}&waitSeconds=1`);
      expect(empty.data).toEqual([]);
      const sandglass = await startSandglass();
      const told = follow(`after=${empty.meta.after}&waitSeconds=25`);
      await whenWaiting(2);
      const id = await read("account");
      expect(idsOf(await told)).toEqual([id]);
      await sandglass.expectRunning();
      await sandglass.stop();
    });

    test("is told of one source alone when they ask so: what the console reads keeps nobody awake", async () => {
      const headers = bearer(
        await mintToken(issuer, await createTestGrant(gateway, owner.account, { isConsole: true })),
      );
      const ofConsole = await read("account", { headers });
      const ofKey = await read("account");
      await whenStored(ofConsole);
      await whenStored(ofKey);
      expect(idsOf(await follow("waitSeconds=0&source=api"))).toEqual([ofKey]);
      expect(idsOf(await follow("waitSeconds=0&source=console"))).toEqual([ofConsole]);
    });

    test("as an application is told of its own calls only", async () => {
      const grant = await createTestGrant(gateway, owner.account);
      const headers = bearer(await mintToken(issuer, grant));
      const { meta } = await follow("limit=1", { headers });
      const ofKey = await read("account");
      const own = await read("account", { headers });
      await whenStored(ofKey);
      await whenStored(own);
      expect(idsOf(await follow(`after=${meta.after}`, { headers }))).toEqual([own]);
      expect(idsOf(await follow(`after=${meta.after}`))).toHaveLength(2);
    });

    test("takes no place among those who wait when they had gone before it was known who they are", async () => {
      const { meta } = await follow("limit=1");
      const fresh = (await gateway.createKey(owner.account, "read")).secret;
      const sandglass = await startSandglass();
      await whenHeard();
      const lock = await holdLock(gateway.databaseUrl, "lock table api_keys in access exclusive mode");
      const socket = connect(gateway.port, "127.0.0.1");
      const target = `/api/v1/request-logs?after=${meta.after}&waitSeconds=25`;
      socket.write(`GET ${target} HTTP/1.1\r\nHost: gateway\r\nX-API-Key: ${fresh}\r\n\r\n`, () => socket.end());
      await once(socket.resume(), "close");
      await lock.release();
      await waitFor(async () => {
        const { rows } = await sql`select from followers where account_id = ${owner.account.id}`.execute(
          gateway.database.kysely,
        );
        return rows.length === 1;
      });
      await waitFor(async () => (await countWaiting(gateway)) === 1);
      await sandglass.expectRunning();
      await sandglass.stop();
      // If the wait of the sandglass had expired, the other request would still wait.
      expect(await countWaiting(gateway)).toBe(0);
    });

    test("is told of nothing of another account, and its place is not theirs", async () => {
      const id = await read("account");
      await whenStored(id);
      const { meta } = await follow("limit=1");
      const other = { key: (await gateway.createKey(await gateway.createAccount(), "read")).secret };
      expect(idsOf(await follow("waitSeconds=0", other))).toEqual([]);
      expect((await ask(`after=${meta.after}`, other)).status).toBe(400);
    });

    test.each(["status=4xx", "operationId=getAccount", "minDurationMs=1", "eventId=evt_01kk96r47ye8natj7106bwf8a9"])(
      "is refused %s beside a wait",
      async (filter) => {
        const refused = await ask(`waitSeconds=0&${filter}`);
        expect(refused.status).toBe(400);
        expect(refused.text).toContain("must not be combined with waitSeconds");
      },
    );

    test("goes through more than is looked at for a page, without an item on the way", async () => {
      const { meta } = await follow("limit=1");
      const last = await read("account");
      await whenStored(last);
      // Its number precedes those of the others.
      expect(idsOf(await follow(`source=api&after=${meta.after}`))).toEqual([last]);
      // Ids that differ from its own, whichever letter that ends with.
      const [begin, end] = [last.slice(0, -5), last.endsWith("z") ? "y" : "z"];
      await sql`
      insert into request_logs (id, account_id, method, path, status, duration_us, caller_kind, caller_id, source, is_replayed, is_answered, repeats, operation_id)
      select ${begin} || to_char(number, 'FM0000') || ${end}, account_id, method, path, status, duration_us, caller_kind, caller_id, 'console',
        false, true, 0, operation_id
      from request_logs, generate_series(1, 2500) number where id = ${last}
    `.execute(gateway.database.kysely);
      await whenStored(`${begin}2500${end}`);
      const seen: string[] = [];
      let page = await follow(`source=api&after=${meta.after}`);
      let pages = 1;
      for (; page.meta.hasMore; pages += 1) {
        seen.push(...idsOf(page));
        page = await follow(`source=api&after=${page.meta.after}`);
      }
      expect([...seen, ...idsOf(page)]).toEqual([last]);
      expect(pages).toBe(3);
      // A waiting request gets no empty response while there are more rows to examine, and does not wait meanwhile.
      const sandglass = await startSandglass();
      expect((await follow(`source=api&waitSeconds=25&after=${meta.after}`)).data).toHaveLength(1);
      await sandglass.expectRunning();
      await sandglass.stop();
    });
  });

  describe("a request and its events name each other", () => {
    test("in both directions, and of an event of a timer, of another account or of nobody there is no request", async () => {
      const made = await gateway.call({
        method: "POST",
        target: "/api/v1/wallets",
        key: owner.key,
        body: { name: "Payroll", currency: "EUR" },
      });
      const walletId = dataOf<{ id: string }>(made, 201).id;
      const closed = await gateway.call({
        method: "POST",
        target: `/api/v1/wallets/${walletId}/close`,
        key: owner.key,
      });
      expect(closed.status).toBe(200);
      await whenStored(idOf(made));
      const [event] = dataOf<{ id: string }[]>(
        await gateway.call({ target: `/api/v1/events?requestId=${idOf(made)}`, key: owner.key }),
      );
      expect(event).toBeDefined();
      expect(dataOf<{ id: string }[]>(await ask(`eventId=${event?.id}`)).map(({ id }) => id)).toEqual([idOf(made)]);
      const detail = dataOf<{ eventIds: string[] }>(
        await gateway.call({ target: `/api/v1/request-logs/${idOf(made)}`, key: owner.key }),
      );
      expect(detail.eventIds).toEqual([event?.id]);
      expect(dataOf(await ask(`eventId=${event?.id}&status=4xx`))).toEqual([]);
      expect(dataOf<unknown[]>(await ask(`eventId=${event?.id}&status=2xx`))).toHaveLength(1);

      const other = { key: (await gateway.createKey(await gateway.createAccount(), "read")).secret };
      expect(dataOf(await ask(`eventId=${event?.id}`, other))).toEqual([]);
      expect(dataOf(await ask(`eventId=${event?.id.slice(0, -3)}000`))).toEqual([]);
      await sql`update events set request_id = null where id = ${event?.id}`.execute(gateway.database.kysely);
      expect(dataOf(await ask(`eventId=${event?.id}`))).toEqual([]);
    });
  });
});
