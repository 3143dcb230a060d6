import { waitFor } from "@gateway/testkit";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
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

  describe("funding one in the sandbox", () => {
    const greatest = 9_007_199_254_740_991;
    const call = async (target: string, body?: object) =>
      gateway.call({ target: `/api/v1${target}`, key, ...(body && { method: "POST", body }) });
    const read = async <Data>(target: string) => ((await call(target)).json as { data: Data }).data;
    const create = async (): Promise<string> => {
      const { json } = await call("/wallets", { name: "W", currency: "JPY" });
      return (json as { data: { id: string } }).data.id;
    };
    const fund = (id: string, amount: unknown) => call(`/sandbox/wallets/${id}/fund`, { amount });

    test("it has as much more, booked against equity as an opening, and an event tells of it", async () => {
      const id = await create();
      await fund(id, 1_000);
      expect(await fund(id, 234)).toMatchObject({ status: 200, json: { data: { id, balance: { available: 1_234 } } } });
      type Booked = { id: string; entries: { ledgerAccountId: string; direction: string }[] };
      const [booked] = await read<Booked[]>("/ledger-transactions?limit=1");
      expect(booked).toMatchObject({ kind: "opening", entries: [{ amount: 234 }, { amount: 234 }] });
      const placed = (booked?.entries ?? []).map(async ({ ledgerAccountId, direction }) => {
        const { purpose } = await read<{ purpose: string }>(`/ledger-accounts/${ledgerAccountId}`);
        return `${direction} ${purpose}`;
      });
      expect((await Promise.all(placed)).toSorted()).toEqual(["credit available", "debit equity"]);
      expect(await read("/events?limit=1")).toMatchObject([
        {
          type: "wallet.balance_changed",
          data: { object: { walletId: id, version: 2, cause: null, ledgerTransactionId: booked?.id } },
        },
      ]);
    });

    test.each([0, -1, 1.5, greatest + 1, "1", null])("%j is no amount", async (amount) => {
      const id = await create();
      expect(await fund(id, amount)).toMatchObject({
        status: 400,
        json: { error: { details: [{ field: "amount" }] } },
      });
      expect(await read(`/wallets/${id}`)).toMatchObject({ balance: { available: 0 } });
    });

    test("of 20 at once those succeed that it has room for", async () => {
      const id = await create();
      const tenth = (greatest - 1) / 10;
      const answers = await Promise.all(Array.from({ length: 20 }, () => fund(id, tenth)));
      const codes = answers.map(({ json }) => (json as { error?: { code: string } }).error?.code ?? "funded");
      expect(codes.toSorted()).toEqual([
        ...Array<string>(10).fill("BALANCE_LIMIT_REACHED"),
        ...Array<string>(10).fill("funded"),
      ]);
      expect(await read(`/wallets/${id}`)).toMatchObject({ balance: { available: greatest - 1 } });
      expect((await fund(id, 1)).status).toBe(200);
      expect((await fund(id, 1)).status).toBe(409);
    });

    test("a frozen one takes it, a closed one does not", async () => {
      const [frozen, closed] = [await create(), await create()];
      await gateway.call({ method: "POST", target: `/api/v1/wallets/${frozen}/freeze`, key });
      await gateway.call({ method: "POST", target: `/api/v1/wallets/${closed}/close`, key });
      expect(await fund(frozen, 1)).toMatchObject({ status: 200, json: { data: { status: "frozen" } } });
      expect(await fund(closed, 1)).toMatchObject({ status: 409, json: { error: { code: "WALLET_NOT_ACTIVE" } } });
    });
  });

  describe("an external id", () => {
    const taken = { name: "W", currency: "EUR", externalId: "box-4711" };
    const refusal = { status: 409, json: { error: { code: "EXTERNAL_ID_USED" } } };
    let own: string;
    const create = (body: object, secret = own) =>
      gateway.call({ method: "POST", target: "/api/v1/wallets", key: secret, body });
    const list = async (query: string, secret = own) =>
      ((await gateway.call({ target: `/api/v1/wallets?${query}`, key: secret })).json as { data: { id: string }[] })
        .data;

    beforeEach(async () => {
      own = (await gateway.createKey(await gateway.createAccount(), "admin")).secret;
    });

    test("of 20 who send it at once, one succeeds and one is written, with one event", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => create(taken)));
      const codes = answers.map(({ json }) => (json as { error?: { code: string } }).error?.code ?? "created");
      expect(codes.toSorted()).toEqual([...Array<string>(19).fill("EXTERNAL_ID_USED"), "created"]);
      expect(await list("")).toHaveLength(1);
      const { json } = await gateway.call({ target: "/api/v1/events", key: own });
      expect((json as { data: object[] }).data).toHaveLength(1);
    });

    test("of 20 wallets that are to get it at once, one gets it", async () => {
      const ids = await Promise.all(
        Array.from({ length: 20 }, async () => {
          const { json } = await create({ name: "W", currency: "EUR" });
          return (json as { data: { id: string } }).data.id;
        }),
      );
      const answers = await Promise.all(
        ids.map((id) =>
          gateway.call({
            method: "PATCH",
            target: `/api/v1/wallets/${id}`,
            key: own,
            body: { externalId: taken.externalId },
          }),
        ),
      );
      expect(answers.map(({ status }) => String(status)).toSorted()).toEqual(["200", ...Array<string>(19).fill("409")]);
      expect(await list(`externalId=${taken.externalId}`)).toHaveLength(1);
    });

    test("stays taken when its wallet is closed, and is the account's own", async () => {
      const { json } = await create(taken);
      const { id } = (json as { data: { id: string } }).data;
      await gateway.call({ method: "POST", target: `/api/v1/wallets/${id}/close`, key: own });
      expect(await create(taken)).toMatchObject(refusal);
      const other = (await gateway.createKey(await gateway.createAccount(), "admin")).secret;
      expect(await create(taken, other)).toMatchObject({ status: 201 });
      expect(await list(`externalId=${taken.externalId}`)).toEqual([expect.objectContaining({ id })]);
      expect(await list(`externalId=${taken.externalId}&status=active`)).toEqual([]);
      expect(await list(`externalId=${taken.externalId}&currency=EUR&status=closed`)).toHaveLength(1);
      expect(await list("externalId=box-471")).toEqual([]);
    });

    test("lists by currency, by status and by both have what fits, newest first, each once", async () => {
      const made: { id: string; currency: string; status: string }[] = [];
      for (const [index, currency] of ["EUR", "JPY", "EUR", "EUR", "JPY", "EUR"].entries()) {
        const { json } = await create({ name: "W", currency });
        const { id } = (json as { data: { id: string } }).data;
        const status = index % 2 === 0 ? "frozen" : "active";
        if (status === "frozen") {
          await gateway.call({ method: "POST", target: `/api/v1/wallets/${id}/freeze`, key: own });
        }
        made.unshift({ id, currency, status });
      }
      for (const currency of ["EUR", "JPY", undefined]) {
        for (const status of ["active", "frozen", undefined]) {
          const query = `${currency ? `&currency=${currency}` : ""}${status ? `&status=${status}` : ""}`;
          const fitting = made.filter(
            (wallet) => (!currency || wallet.currency === currency) && (!status || wallet.status === status),
          );
          const seen: string[] = [];
          let cursor: string | null = "";
          while (cursor !== null) {
            const target = `/api/v1/wallets?limit=2${query}${cursor && `&cursor=${cursor}`}`;
            const { data, meta } = (await gateway.call({ target, key: own })).json as {
              data: { id: string }[];
              meta: { nextCursor: string | null };
            };
            seen.push(...data.map(({ id }) => id));
            cursor = meta.nextCursor;
          }
          expect(seen, query).toEqual(fitting.map(({ id }) => id));
        }
      }
    });
  });

  describe("a wallet of an account", () => {
    let id: string;
    let adminKey: string;
    const call = (method: string, path = "", body?: object) =>
      gateway.call({ method, target: `/api/v1/wallets/${id}${path}`, key: adminKey, ...(body && { body }) });

    beforeEach(async () => {
      const account = await gateway.createAccount();
      adminKey = (await gateway.createKey(account, "admin")).secret;
      const wallet = { accountId: account.id, name: "Payroll", currency: "EUR", metadata: { a: "1", b: "2" } } as const;
      ({ id } = await gateway.platform.ledger.wallets.create(wallet));
    });

    test("changes what is sent, keeps what is not, and metadata is replaced whole", async () => {
      const renamed = { name: "Payroll 2027", metadata: { a: "1", b: "2" } };
      expect(await call("PATCH", "", { name: renamed.name })).toMatchObject({ status: 200, json: { data: renamed } });
      const { json } = await call("PATCH", "", { metadata: { c: "3" } });
      expect(json).toMatchObject({ data: { name: renamed.name } });
      expect((json as { data: { metadata: object } }).data.metadata).toEqual({ c: "3" });
      expect((await call("GET")).json).toMatchObject({ data: (json as { data: object }).data });
    });

    test.each([
      ["nothing", {}],
      ["its currency", { currency: "USD" }],
      ["its status", { status: "closed" }],
      ["its balance", { balance: { available: 1, pending: 0, held: 0 } }],
      ["a name of null", { name: null }],
    ])("is not changed by a request for %s", async (_name, body) => {
      const before = await call("GET");
      expect(await call("PATCH", "", body)).toMatchObject({
        status: 400,
        json: { error: { code: "INVALID_REQUEST" } },
      });
      expect((await call("GET")).json).toMatchObject({ data: (before.json as { data: object }).data });
    });

    test("leaves in the audit log what was changed, of metadata only that it was, and of what stayed the same nothing", async () => {
      await call("PATCH", "", { name: "Payroll", metadata: { b: "2", a: "1" } });
      await call("PATCH", "", { metadata: { private: "words" } });
      await call("PATCH", "", { name: "Payroll 2027" });
      await call("POST", "/freeze");
      await call("POST", "/freeze");
      const { json } = await gateway.call({ target: `/api/v1/audit-events?resourceId=${id}`, key: adminKey });
      const events = (json as { data: { type: string; changes: object[] }[] }).data;
      expect(events.map(({ type, changes }) => [type, changes])).toEqual([
        ["wallet.frozen", [{ field: "status", before: "active", after: "frozen" }]],
        ["wallet.updated", [{ field: "name", before: "Payroll", after: "Payroll 2027" }]],
        ["wallet.updated", []],
        ["wallet.created", expect.anything()],
      ]);
    });

    test("is given an external id once: what it has stays, and nothing is changed with a refusal", async () => {
      expect(await call("PATCH", "", { externalId: "box-1" })).toMatchObject({
        status: 200,
        json: { data: { externalId: "box-1" } },
      });
      expect(await call("PATCH", "", { externalId: "box-1" })).toMatchObject({ status: 200 });
      expect(await call("PATCH", "", { externalId: "box-2", name: "Other" })).toMatchObject({
        status: 400,
        json: { error: { code: "INVALID_REQUEST", details: [{ field: "externalId" }] } },
      });
      expect(await call("GET")).toMatchObject({ json: { data: { externalId: "box-1", name: "Payroll" } } });
      const { json } = await gateway.call({ target: `/api/v1/audit-events?resourceId=${id}&limit=1`, key: adminKey });
      expect(json).toMatchObject({
        data: [{ type: "wallet.updated", changes: [{ field: "externalId", before: null, after: "box-1" }] }],
      });
    });

    test("is renamed in every state, for a name moves nothing", async () => {
      for (const path of ["/freeze", "/close"]) {
        expect(await call("POST", path)).toMatchObject({ status: 200 });
        expect(await call("PATCH", "", { name: path })).toMatchObject({ status: 200, json: { data: { name: path } } });
      }
    });

    test.each(["available", "pending", "held"])(
      "is not closed while %s is not 0, and is when it is",
      async (column) => {
        const hold = (amount: number) =>
          sql`update wallets set ${sql.ref(column)} = ${amount} where id = ${id}`.execute(gateway.database.kysely);
        await hold(1);
        expect(await call("POST", "/close")).toMatchObject({
          status: 409,
          json: { error: { code: "WALLET_NOT_EMPTY" } },
        });
        expect(await call("GET")).toMatchObject({ json: { data: { status: "active" } } });
        await hold(0);
        expect(await call("POST", "/close")).toMatchObject({ status: 200, json: { data: { status: "closed" } } });
      },
    );

    test("is closed only after money that is on its way in has come, and then it is not empty", async () => {
      const booked = await gateway.database.kysely.startTransaction().execute();
      await sql`update wallets set available = 5 where id = ${id}`.execute(booked);
      const closing = call("POST", "/close");
      await waitFor(async () => {
        const { rows } =
          await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
            gateway.database.kysely,
          );
        return rows.length > 0;
      });
      await booked.commit().execute();
      expect(await closing).toMatchObject({ status: 409, json: { error: { code: "WALLET_NOT_EMPTY" } } });
    });

    test("is frozen by one of 20 at once, and the others are told its state", async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => call("POST", "/freeze")));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(refused).toHaveLength(19);
      const error = { code: "INVALID_STATE", message: expect.stringContaining(`${id} is frozen`) };
      refused.forEach((answer) => expect(answer).toMatchObject({ status: 409, json: { error } }));
    });

    test("answers a repeated freeze under its idempotency key as it did, and a new one with INVALID_STATE", async () => {
      const freeze = (key: string) =>
        gateway.call({
          method: "POST",
          target: `/api/v1/wallets/${id}/freeze`,
          key: adminKey,
          headers: { "Idempotency-Key": key },
        });
      const first = await freeze("freeze-1");
      const again = await freeze("freeze-1");
      expect(first.status).toBe(200);
      expect(again).toMatchObject({ status: 200, text: first.text });
      expect(await freeze("freeze-2")).toMatchObject({ status: 409, json: { error: { code: "INVALID_STATE" } } });
    });
  });
});
