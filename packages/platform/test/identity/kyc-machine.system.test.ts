import { Problem } from "@gateway/contract";
import { createTypeId } from "@gateway/kernel";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { runWorkItem } from "../../src/compose/run-work-item.ts";
import { workHandlers } from "../../src/compose/work-handlers.ts";
import { presentKycVerification, type KycVerification } from "../../src/identity/index.ts";
import { noPorts, type KycFact } from "@gateway/ports";
import { useAll } from "@gateway/testkit";
import { createWorkStore } from "../work/work-store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const accountId = createTypeId("acc");
const silent = { ...noPorts, kycEngine: { check: async () => {} } };

const store = useAll(
  () =>
    createWorkStore({
      createPorts: () => silent,
      eventRules: {
        checkEvent: (type, object) => {
          recorded.push({ type, object });
        },
        exampleObject: () => ({}),
        findWebhookUrlProblem: async () => null,
      },
    }),
  (made) => made.database.close(),
);
let recorded: { type: string; object: unknown }[] = [];

beforeAll(async () => {
  await sql`insert into accounts (id, email, email_key, tier, created_at) values (${accountId}, 'a', 'a', 'growth', now())`.execute(
    store.database.kysely,
  );
  await store.platform.events.retention.createPartitions();
  await store.platform.audit.retention.createPartitions();
});

function submit(): Promise<KycVerification> {
  recorded = [];
  return store.platform.inAccount(accountId, ({ identity }) =>
    identity.verifications.create({
      accountId,
      reference: createTypeId("kyc"),
      subject: { givenName: "A", familyName: "B", birthDate: "1990-12-31", country: "DE", address: "C" },
      documents: [{ type: "passport", country: "DE", number: "D", expiresOn: "2096-01-31" }],
    }),
  );
}

const failed = { type: "failed", check: "watchlist", code: "watchlist_match" } as const;
const unclear = { type: "unclear", checks: [{ check: "document", code: "document_refused" }] } as const;
const contents = { passed: { type: "passed" }, failed, unclear } as const;

let factsTold = 0;
function tell(id: string, name: keyof typeof contents, factId = `${name} ${(factsTold += 1)}`) {
  const fact = { verificationId: id, ...contents[name] } satisfies KycFact;
  return store.platform.inAccount(accountId, ({ work }) =>
    work.inbox.receive({ port: "kycEngine", factId, accountId, fact }),
  );
}

async function decide(id: string, decision: "verified" | "rejected"): Promise<string> {
  const input = {
    id,
    accountId,
    decision,
    reason: "R",
    decidedBy: { kind: "apiKey", id: createTypeId("key") } as const,
  };
  return refusedOr(store.platform.inAccount(accountId, ({ identity }) => identity.verifications.decide(input)));
}

async function forget(id: string): Promise<string> {
  return refusedOr(
    store.platform.inAccount(accountId, ({ identity }) => identity.verifications.deletePersonalData({ id, accountId })),
  );
}

async function refusedOr(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (error instanceof Problem) {
      return error.code;
    }
    throw error;
  }
}

/** Runs the armed items of this kind, as if they were due; none if none is armed. */
async function fire(id: string, kind: string): Promise<void> {
  const { rows } = await sql<{ id: string; fires_at: Date; lease: string }>`
    update work_items set lease = gen_random_uuid() where kind = ${kind} and subject_id = ${id} returning id, fires_at, lease
  `.execute(store.database.kysely);
  for (const { id: itemId, fires_at: firesAt, lease } of rows) {
    const item = { accountId, id: itemId, kind, subjectId: id, firesAt, lease, attempts: 1 };
    await runWorkItem(store.platform.workContext(item), workHandlers[kind] ?? expect.unreachable(kind), item);
  }
}

async function read(id: string): Promise<KycVerification> {
  return (await store.platform.identity.verifications.get({ id, accountId })) ?? expect.unreachable();
}

async function armed(id: string): Promise<string[]> {
  const { rows } = await sql<{
    kind: string;
  }>`select kind from work_items where subject_id = ${id} order by kind`.execute(store.database.kysely);
  return rows.map(({ kind }) => kind);
}

type State = KycVerification["status"];
type Model = { status: State; events: string[]; decided: boolean; data: boolean };

/** The effect of each step on the model, as the services describe it: none when it does not fit. */
const steps: Record<string, { run(id: string): Promise<unknown>; model(before: Model): Model }> = {
  passed: { run: (id) => tell(id, "passed"), model: (m) => (m.status === "submitted" ? end(m, "verified") : m) },
  failed: { run: (id) => tell(id, "failed"), model: (m) => (m.status === "submitted" ? end(m, "rejected") : m) },
  unclear: { run: (id) => tell(id, "unclear"), model: review },
  silence: { run: (id) => fire(id, "kyc.silence"), model: review },
  undecided: {
    run: (id) => fire(id, "kyc.undecided"),
    model: (m) => (m.status === "review_required" ? end(m, "rejected") : m),
  },
  verify: {
    run: (id) => decide(id, "verified"),
    model: (m) => (m.status === "review_required" ? end(m, "verified") : m),
  },
  reject: {
    run: (id) => decide(id, "rejected"),
    model: (m) => (m.status === "review_required" ? end(m, "rejected") : m),
  },
  forget: { run: forget, model: (m) => (m.decided ? { ...m, data: false } : m) },
};

function end(before: Model, status: "verified" | "rejected"): Model {
  return { ...before, status, decided: true, events: [...before.events, `kyc.${status}`] };
}

function review(before: Model): Model {
  return before.status === "submitted"
    ? { ...before, status: "review_required", events: [...before.events, "kyc.review_required"] }
    : before;
}

const names = Object.keys(steps);

/**
 * All sequences of a length. Each state is reached within two steps. So three steps cover each step in each state, and
 * one more after it.
 */
function sequences(length: number): string[][] {
  return length === 0 ? [[]] : sequences(length - 1).flatMap((begun) => names.map((name) => [...begun, name]));
}

test("every sequence of facts, decisions and timers: the states, the events and the data of the model, and nothing final moves", async () => {
  for (const sequence of sequences(3)) {
    const { id } = await submit();
    let model: Model = { status: "submitted", events: ["kyc.submitted"], decided: false, data: true };
    for (const name of sequence) {
      const step = steps[name] ?? expect.unreachable(name);
      await step.run(id);
      model = step.model(model);
      const after = await read(id);
      const seen = {
        status: after.status,
        events: recorded.map(({ type }) => type),
        decided: after.decidedAt !== null,
        data: after.personalDataDeletedAt === null,
      };
      expect({ sequence, ...seen }).toEqual({ sequence, ...model });
      expect([after.validUntil !== null, after.rejectionCode !== null]).toEqual([
        after.status === "verified",
        after.status === "rejected",
      ]);
      expect(recorded.at(-1)?.object).toMatchObject({ data: { object: { id } } });
    }
  }
}, 240_000);

describe("what the engine tells, in every order", () => {
  test.each([
    ["passed", "passed", "verified", "superseded"],
    ["passed", "failed", "verified", "mismatched"],
    ["passed", "unclear", "verified", "superseded"],
    ["failed", "passed", "rejected", "superseded"],
    ["failed", "failed", "rejected", "superseded"],
    ["failed", "unclear", "rejected", "superseded"],
    ["unclear", "passed", "review_required", "applied"],
    ["unclear", "failed", "review_required", "applied"],
    ["unclear", "unclear", "review_required", "applied"],
  ] as const)("%s, then %s: %s, and the second is %s", async (first, second, status, verdict) => {
    const { id } = await submit();
    expect(await tell(id, first)).toBe("applied");
    expect(await tell(id, second)).toBe(verdict);
    expect((await read(id)).status).toBe(status);
  });

  test("the same twice is known; under the same name another is disputed, and changes nothing", async () => {
    const { id } = await submit();
    const factId = `one ${id}`;
    expect(await tell(id, "passed", factId)).toBe("applied");
    expect(await tell(id, "passed", factId)).toBe("known");
    expect(await tell(id, "failed", factId)).toBe("disputed");
    expect((await read(id)).status).toBe("verified");
  });

  test("of nothing that is here it is parked; of another account's it moves nothing", async () => {
    const { id } = await submit();
    expect(await tell(createTypeId("kyc"), "passed")).toBe("parked");
    const told = { port: "kycEngine", factId: "elsewhere", accountId: createTypeId("acc") };
    const fact = { type: "passed", verificationId: id };
    const receipt = await store.platform.inAccount(told.accountId, ({ work }) => work.inbox.receive({ ...told, fact }));
    expect(receipt).toBe("parked");
    expect((await read(id)).status).toBe("submitted");
  });

  test("after silence it says more to who decides, and decides nothing", async () => {
    const { id } = await submit();
    await fire(id, "kyc.silence");
    expect(await tell(id, "failed")).toBe("applied");
    expect(await read(id)).toMatchObject({
      status: "review_required",
      checks: [{ name: "age" }, { name: "document" }, { name: "watchlist", result: "failed", code: "watchlist_match" }],
    });
  });
});

test("each wait is armed once, by the time of the account: 24 hours of silence, 90 days of review, 30 days of data", async () => {
  const { id, createdAt } = await submit();
  expect(await armed(id)).toEqual(["kyc.check", "kyc.silence"]);
  const firesAt = async (kind: string): Promise<number> => {
    const { rows } = await sql<{
      fires_at: Date;
    }>`select fires_at from work_items where kind = ${kind} and subject_id = ${id}`.execute(store.database.kysely);
    return (rows[0]?.fires_at.getTime() ?? 0) - createdAt.getTime();
  };
  expect([await firesAt("kyc.check"), await firesAt("kyc.silence")]).toEqual([0, dayMs]);
  await fire(id, "kyc.silence");
  expect(await firesAt("kyc.undecided")).toBe(91 * dayMs);
  await fire(id, "kyc.undecided");
  expect(await firesAt("kyc.forget")).toBe(121 * dayMs);
  expect(presentKycVerification(await read(id))).toMatchObject({
    status: "rejected",
    rejectionCode: "expired",
    decidedBy: null,
    personalDataDeletedAt: null,
  });
  await fire(id, "kyc.forget");
  expect((await read(id)).personalDataDeletedAt?.getTime()).toBe(createdAt.getTime() + 121 * dayMs);
  expect(await armed(id)).toEqual(["kyc.check"]);
});

test("the end of a review is judged when somebody decides, whether its timer ran or not", async () => {
  const { id } = await submit();
  await tell(id, "unclear");
  await store.clock.advance(90 * dayMs);
  expect(await decide(id, "verified")).toBe("INVALID_STATE");
  expect((await read(id)).status).toBe("review_required");
});

test("who relies on it asks for a time: verified, and not past 365 days; of another account never", async () => {
  const { id } = await submit();
  const isValid = (at: Date, account = accountId): Promise<boolean> =>
    store.platform.identity.verifications.isValid({ id, accountId: account, at });
  const early = new Date(0);
  expect(await isValid(early)).toBe(false);
  await tell(id, "passed");
  const { validUntil, decidedAt } = await read(id);
  const until = validUntil ?? expect.unreachable();
  expect(until.getTime() - (decidedAt?.getTime() ?? 0)).toBe(365 * dayMs);
  expect([await isValid(until), await isValid(new Date(until.getTime() + 1))]).toEqual([true, false]);
  expect(await isValid(early, createTypeId("acc"))).toBe(false);
});
