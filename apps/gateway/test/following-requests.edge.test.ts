import type { Account } from "@gateway/platform/accounts";
import { holdLock, waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { once } from "node:events";
import { connect } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { dataOf } from "./support/answers.ts";
import type { Answer } from "./support/http-client.ts";
import {
  countWaiting,
  startSandglass as startSandglassOf,
  whenWaiting as whenSoManyWait,
  type Sandglass,
} from "./support/start-sandglass.ts";
import { bearer, createTestGrant, mintToken } from "./support/test-issuer.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

type Followed = {
  data: { id: string; operationId: string | null; source: string; durationMs: number }[];
  meta: { hasMore: boolean; nextCursor: string | null; after: string; gaps: unknown[] };
};

let account: Account;
let key: string;

const issuer = useIssuer();
const gateway = useGateway({ issuer, waitersHaveNet: false });
beforeEach(async () => {
  account = await gateway.createAccount();
  key = (await gateway.createKey(account, "admin")).secret;
});

type As = { key: string } | { headers: Record<string, string> };

const ask = (query: string, as: As = { key }): Promise<Answer> =>
  gateway.call({ target: `/api/v1/request-logs?${query}`, ...as });

async function follow(query: string, as: As = { key }): Promise<Followed> {
  const answer = await ask(query, as);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return answer.json as Followed;
}

const idOf = (answer: Answer): string => String(answer.headers["x-request-id"]);

/** Sends a request, and returns its id. */
const read = async (target: string, as: As = { key }): Promise<string> =>
  idOf(await gateway.call({ target: `/api/v1/${target}`, ...as }));

async function whenStored(requestId: string): Promise<void> {
  await waitFor(async () => {
    const { rows } = await sql`
      select from request_logs where id = ${requestId}
    `.execute(gateway.database.kysely);
    return rows.length === 1;
  });
}

const whenWaiting = (count: number): Promise<void> => whenSoManyWait(gateway, { count, accountId: account.id });

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
  test("is told all from the oldest on, a page at a time, and then what comes; the first page of the list names the place", async () => {
    const ids = [];
    for (let count = 0; count < 5; count += 1) {
      ids.push(await read("account"));
    }
    await whenStored(ids.at(-1) ?? "");
    const seen: string[] = [];
    let page = await follow("waitSeconds=0&limit=2");
    for (; page.meta.hasMore; page = await follow(`limit=2&after=${page.meta.after}`)) {
      expect(page.data).toHaveLength(2);
      seen.push(...idsOf(page));
    }
    seen.push(...idsOf(page));
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect(page.meta).toMatchObject({ nextCursor: null, gaps: [] });

    const first = await follow("limit=1");
    const next = await read("account");
    await whenStored(next);
    expect(idsOf(await follow(`after=${first.meta.after}`))).toEqual([next]);
    expect((await follow(`limit=1&cursor=${first.meta.nextCursor}`)).meta.after).toBeNull();
  });

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
    const headers = bearer(await mintToken(issuer, await createTestGrant(gateway, account, { isConsole: true })));
    const ofConsole = await read("account", { headers });
    const ofKey = await read("account");
    await whenStored(ofConsole);
    await whenStored(ofKey);
    expect(idsOf(await follow("waitSeconds=0&source=api"))).toEqual([ofKey]);
    expect(idsOf(await follow("waitSeconds=0&source=console"))).toEqual([ofConsole]);
  });

  test("as an application is told of its own calls only", async () => {
    const grant = await createTestGrant(gateway, account);
    const headers = bearer(await mintToken(issuer, grant));
    const { meta } = await follow("limit=1", { headers });
    const ofKey = await read("account");
    const own = await read("account", { headers });
    await whenStored(ofKey);
    await whenStored(own);
    expect(idsOf(await follow(`after=${meta.after}`, { headers }))).toEqual([own]);
    expect(idsOf(await follow(`after=${meta.after}`))).toHaveLength(2);
  });

  test("gets nothing, before the time is over, once they are removed", async () => {
    const grant = await createTestGrant(gateway, account, { isConsole: true, role: "viewer" });
    const headers = bearer(await mintToken(issuer, grant));
    const { meta } = await follow("limit=1");
    const sandglass = await startSandglass();
    const told = ask(`after=${meta.after}&waitSeconds=25`, { headers });
    await whenWaiting(2);
    await gateway.platform.transaction(({ accounts }) =>
      accounts.people.remove({ id: grant.personId, accountId: account.id }),
    );
    const id = await read("account");
    const answer = await told;
    await sandglass.expectRunning();
    await sandglass.stop();
    expect(answer.status).toBe(401);
    expect(answer.text).not.toContain(id);
  });

  test("takes no place among those who wait when they had gone before it was known who they are", async () => {
    const { meta } = await follow("limit=1");
    const fresh = (await gateway.createKey(account, "read")).secret;
    const sandglass = await startSandglass();
    await whenHeard();
    const lock = await holdLock(gateway.databaseUrl, "lock table api_keys in access exclusive mode");
    const socket = connect(gateway.port, "127.0.0.1");
    const target = `/api/v1/request-logs?after=${meta.after}&waitSeconds=25`;
    socket.write(`GET ${target} HTTP/1.1\r\nHost: gateway\r\nX-API-Key: ${fresh}\r\n\r\n`, () => socket.end());
    await once(socket.resume(), "close");
    await lock.release();
    await waitFor(async () => {
      const { rows } = await sql`select from followers where account_id = ${account.id}`.execute(
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
      key,
      body: { name: "Payroll", currency: "EUR" },
    });
    const walletId = dataOf<{ id: string }>(made, 201).id;
    const closed = await gateway.call({ method: "POST", target: `/api/v1/wallets/${walletId}/close`, key });
    expect(closed.status).toBe(200);
    await whenStored(idOf(made));
    const [event] = dataOf<{ id: string }[]>(
      await gateway.call({ target: `/api/v1/events?requestId=${idOf(made)}`, key }),
    );
    expect(event).toBeDefined();
    expect(dataOf<{ id: string }[]>(await ask(`eventId=${event?.id}`)).map(({ id }) => id)).toEqual([idOf(made)]);
    const detail = dataOf<{ eventIds: string[] }>(
      await gateway.call({ target: `/api/v1/request-logs/${idOf(made)}`, key }),
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
