import {
  operations,
  stateMachines,
  type EventType,
  type MachineName,
  type OperationId,
  type Schemas,
  type StateMachine,
  type TransitionName,
} from "@gateway/contract";
import type { Platform } from "@gateway/platform/compose/platform";
import { digestDatabase } from "@gateway/testkit";
import { describe, expect, expectTypeOf, test } from "vitest";
import { refused } from "./support/answers.ts";
import { isForPeople, signInAtConsole } from "./support/for-people.ts";
import type { Answer, Ask } from "./support/http-client.ts";
import { fireTimer } from "./support/fire-timer.ts";
import { sampleRequest, type SampleRequest } from "./support/sample-request.ts";
import { ageOwner } from "./support/samples/accounts.ts";
import { createFundedCryptoWallet } from "./support/samples/custody.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

/** An account of its own, and what its key, which may do everything, gets from the gateway. */
type Caller = {
  /** The document's example of the operation, for this thing. What else it names is made. */
  prepare(operation: OperationId, id: string | null): Promise<SampleRequest>;
  call(request: Ask): Promise<Answer>;
  /** For what only time causes. */
  platform: Platform;
  accountId: string;
  /** Of a transfer its approval, of an approval its transfer: they go together. */
  findOther(id: string): Promise<string | null>;
};

/** How a transition comes about over HTTP, and which of the events come along that it may emit, or emits once more. `id` is null when it makes the thing. */
type Scenario = {
  cause(caller: Caller, id: string | null): Promise<{ id: string }>;
  also?: readonly EventType[];
};

/** Every transition of the document: one without a scenario does not compile. */
const scenarios = {
  "KycVerification.submit": byOperation("createKycVerification"),
  "KycVerification.refuse": byOperation("createKycVerification", {
    change: (body) => ({ ...body, documents: [{ ...body["documents"][0], expiresOn: "2001-01-31" }] }),
  }),
  "KycVerification.verify": byOperation("simulateKycVerification", { change: () => ({ outcome: "verified" }) }),
  "KycVerification.reject": byOperation("simulateKycVerification", { change: () => ({ outcome: "rejected" }) }),
  "KycVerification.review": byOperation("simulateKycVerification", { change: () => ({ outcome: "review_required" }) }),
  "KycVerification.fallSilent": byTimer("kyc.silence"),
  "KycVerification.decideVerified": byOperation("decideKycVerification"),
  "KycVerification.decideRejected": byOperation("decideKycVerification", {
    change: (body) => ({ ...body, decision: "rejected" }),
  }),
  "KycVerification.expire": byTimer("kyc.undecided"),
  "CustodyDeposit.detect": byOperation("simulateDeposit"),
  "CustodyDeposit.confirm": { cause: (caller, id) => endDeposit(caller, id, "confirmed") },
  "CustodyDeposit.orphan": { cause: (caller, id) => endDeposit(caller, id, "orphaned") },
  "CustodyDeposit.detectAgain": { cause: (caller, id) => seeAgain(caller, id) },
  "CustodyApproval.request": byLargeTransfer(),
  "CustodyApproval.approve": byOperation("approveApproval"),
  "CustodyApproval.reject": byOperation("rejectApproval"),
  "CustodyApproval.expire": byClock(86_400),
  "CustodyApproval.cancel": byOperation("cancelTransfer"),
  "CustodyTransfer.initiate": byOperation("createTransfer", {
    change: large,
    also: ["custody.approval.requested"],
  }),
  "CustodyTransfer.broadcast": byChain("submitted"),
  "CustodyTransfer.complete": byOperation("simulateTransfer"),
  "CustodyTransfer.cancel": byOperation("cancelTransfer"),
  "CustodyTransfer.reject": byOperation("rejectApproval"),
  "CustodyTransfer.expire": byClock(86_400),
  "CustodyTransfer.fail": byChain("dropped"),
  "Wallet.create": byOperation("createWallet"),
  "Wallet.freeze": byOperation("freezeWallet"),
  "Wallet.unfreeze": byOperation("unfreezeWallet"),
  "Wallet.close": byOperation("closeWallet"),
  "Payment.initiate": byOperation("createPayment"),
  "Payment.transfer": {
    cause: async (caller) => {
      const { platform, accountId } = caller;
      const wallet = await platform.ledger.wallets.create({ accountId, name: "Other", currency: "EUR", metadata: {} });
      return createPayment(caller, { destination: { walletId: wallet.id } });
    },
    also: ["wallet.balance_changed"],
  },
  "Payment.refuse": { cause: (caller) => createPayment(caller, { amount: Number.MAX_SAFE_INTEGER }) },
  "Payment.cancel": byOperation("cancelPayment"),
  "Payment.block": {
    cause: async (caller, id) => {
      // Whom nobody knows any more nobody has verified.
      await caller.platform.orchestra.counterparties.eraseTexts(caller.accountId);
      return byTimer("payment.submit").cause(caller, id);
    },
  },
  "Payment.settle": { cause: (caller, id) => simulatePayment(caller, id, "settled") },
  "Payment.fail": { cause: (caller, id) => simulatePayment(caller, id, "failed") },
  "Order.create": byOperation("createOrder"),
  "Order.createReplacement": {
    cause: async (caller) => replaceOrder(caller, (await byOperation("createOrder").cause(caller, null)).id),
    also: ["wallet.balance_changed"],
  },
  "Order.open": byVenue(() => ({ type: "accepted" })),
  "Order.reject": byVenue(() => ({ type: "rejected", code: "unknown" }), ["wallet.balance_changed"]),
  "Order.endReplacement": {
    cause: async (caller, id) => {
      const replacement = await replaceOrder(caller, id);
      await byVenue(ended("canceled")).cause(caller, id);
      return replacement;
    },
    also: ["wallet.balance_changed"],
  },
  // A fill moves the base and the quote.
  "Order.fillPartially": byVenue(() => filled(1_000), ["wallet.balance_changed"]),
  "Order.fill": byVenue(
    ({ quantity, filledQuantity }) => filled(Number(quantity) - filledQuantity),
    ["wallet.balance_changed"],
  ),
  "Order.cancel": byVenue(ended("canceled"), ["wallet.balance_changed"]),
  "Order.expire": byVenue(ended("expired"), ["wallet.balance_changed"]),
  "Order.replace": {
    cause: async (caller, id) => {
      await replaceOrder(caller, id);
      return byVenue(ended("replaced")).cause(caller, id);
    },
  },
} satisfies Record<TransitionName, Scenario>;

expectTypeOf<Omit<typeof scenarios, "Wallet.freeze">>().not.toExtend<Record<TransitionName, Scenario>>();

/** Where a thing is read. */
const things: Record<MachineName, string> = {
  CustodyDeposit: "/api/v1/deposits",
  CustodyApproval: "/api/v1/approvals",
  CustodyTransfer: "/api/v1/transfers",
  KycVerification: "/api/v1/kyc-verifications",
  Order: "/api/v1/orders",
  Payment: "/api/v1/payments",
  Wallet: "/api/v1/wallets",
};

/** `change`: what is otherwise than in the document's example. */
function byOperation(
  operation: OperationId,
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the document's example is
  { change, also = [] }: { change?: (body: any) => object; also?: readonly EventType[] } = {},
): Scenario {
  return {
    cause: async (caller, id) => {
      const prepared = await caller.prepare(operation, id);
      const answer = await caller.call({ ...prepared, ...(change && { body: change(prepared.body) }) });
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: operations[operation].success });
      return id === null ? dataOf<{ id: string }>(answer) : { id };
    },
    also,
  };
}

/** The approval that a transfer of so much needs. */
function byLargeTransfer(): Scenario {
  return {
    cause: async (caller) => {
      const { body, ...request } = await caller.prepare("createTransfer", null);
      const answer = await caller.call({ ...request, body: large(body) });
      return { id: dataOf<{ approvalId: string }>(answer).approvalId };
    },
  };
}

function large(body: object | undefined): object {
  return { ...body, amount: 1_000_000_000 };
}

/** What the network tells of a transfer that was approved and sent. */
function byChain(type: "submitted" | "dropped"): Scenario {
  return {
    cause: async (caller, id) => {
      const transferId = id ?? expect.unreachable();
      const { status, amount, approvalId } = dataOf<{ status: string; amount: number; approvalId: string }>(
        await caller.call({ target: `/api/v1/transfers/${transferId}` }),
      );
      if (status === "initiated") {
        const target = `/api/v1/sandbox/approvals/${approvalId}/simulate`;
        await caller.call({ method: "POST", target, body: { outcome: "approved" } });
        await fireTimer(gateway, { kind: "transfer.submit", subjectId: transferId });
      }
      const fact = { type, transferId, transactionHash: `0x${"1".repeat(64)}`, amountMinor: amount, confirmations: 0 };
      const told = await gateway.platform.transaction(({ work }) =>
        work.inbox.receive({ port: "chain", factId: `${type} ${transferId}`, accountId: caller.accountId, fact }),
      );
      expect(told).toBe("applied");
      return { id: transferId };
    },
  };
}

/** What the venue tells of an order. */
function byVenue(factOf: (order: Schemas["Order"]) => object, also: readonly EventType[] = []): Scenario {
  return {
    cause: async (caller, id) => {
      const orderId = id ?? expect.unreachable();
      const order = dataOf<Schemas["Order"]>(await caller.call({ target: `/api/v1/orders/${orderId}` }));
      const fact = { ...factOf(order), orderId };
      const told = await gateway.platform.transaction(({ work }) =>
        work.inbox.receive({ port: "venue", factId: crypto.randomUUID(), accountId: caller.accountId, fact }),
      );
      expect(told).toBe("applied");
      return { id: orderId };
    },
    also,
  };
}

/** At the limit of the sample and with the fee of a taker, so that all that is held is charged. */
function filled(quantityMinor: number): object {
  const fill = { venueFillId: crypto.randomUUID(), quantityMinor, price: "64250.50", liquidity: "taker", last: null };
  return { type: "filled", ...fill, executedAtMs: Date.now() };
}

function ended(type: "canceled" | "expired" | "replaced") {
  return ({ filledQuantity: filledQuantityMinor }: Schemas["Order"]) => ({ type, filledQuantityMinor });
}

/** The new order, of one that is opened before if it is not. */
async function replaceOrder(caller: Caller, id: string | null): Promise<{ id: string }> {
  const { status } = dataOf<{ status: string }>(await caller.call({ target: `/api/v1/orders/${id}` }));
  if (status === "accepted") {
    await byVenue(() => ({ type: "accepted" })).cause(caller, id);
  }
  const answer = await caller.call(await caller.prepare("replaceOrder", id));
  expect(answer).toMatchObject({ status: 201 });
  return dataOf<{ id: string }>(answer);
}

/** The time has come of what waits for it. */
function byTimer(kind: string): Scenario {
  return {
    cause: async (_caller, id) => {
      const subjectId = id ?? expect.unreachable();
      await fireTimer(gateway, { kind, subjectId });
      return { id: subjectId };
    },
  };
}

/** An advance of the clock does what is due by it. */
function byClock(seconds: number): Scenario {
  return {
    cause: async (caller, id) => {
      await caller.call({ method: "POST", target: "/api/v1/sandbox/clock/advance", body: { seconds } });
      return { id: id ?? expect.unreachable() };
    },
  };
}

/** As the sample is, but for this. */
async function createPayment(caller: Caller, change: object): Promise<{ id: string }> {
  const request = await caller.prepare("createPayment", null);
  const answer = await caller.call({ ...request, body: { ...request.body, ...change } });
  expect(answer).toMatchObject({ status: 201 });
  return dataOf<{ id: string }>(answer);
}

function simulatePayment(caller: Caller, id: string | null, outcome: string): Promise<{ id: string }> {
  return simulate(caller, `payments/${id}`, outcome);
}

function endDeposit(caller: Caller, id: string | null, outcome: string): Promise<{ id: string }> {
  return simulate(caller, `deposits/${id}`, outcome);
}

async function simulate(caller: Caller, path: string, outcome: string): Promise<{ id: string }> {
  const target = `/api/v1/sandbox/${path}/simulate`;
  const answer = await caller.call({ method: "POST", target, body: { outcome } });
  expect(answer).toMatchObject({ status: 200 });
  return dataOf<{ id: string }>(answer);
}

async function seeAgain(caller: Caller, id: string | null): Promise<{ id: string }> {
  const { walletId, amount, transactionHash } = dataOf<Record<string, unknown>>(
    await caller.call({ target: `/api/v1/deposits/${id}` }),
  );
  const body = { walletId, amount, transactionHash };
  const answer = await caller.call({ method: "POST", target: "/api/v1/sandbox/deposits", body });
  expect(answer).toMatchObject({ status: 201 });
  return dataOf<{ id: string }>(answer);
}

const issuer = useIssuer();
const gateway = useGateway({ issuer, keepsStill: true });

async function createCaller(): Promise<Caller> {
  const account = await gateway.createAccount();
  const { secret: key } = await gateway.createKey(account, "admin");
  const person = await signInAtConsole(gateway, { issuer, account });
  const owner = { ...gateway, accountId: account.id };
  await ageOwner(owner);
  // Its events come before those that a transfer out of it causes.
  const wallet = await createFundedCryptoWallet(owner);
  const call: Caller["call"] = async (request) =>
    gateway.call({ ...request, ...(isForPeople(request) ? { headers: await person() } : { key }) });
  const findOther: Caller["findOther"] = async (id) => {
    const [path, field] = id.startsWith("trf_") ? ["transfers", "approvalId"] : ["approvals", "transferId"];
    return /^(?:trf|apr)_/.test(id)
      ? (dataOf<Record<string, string | null>>(await call({ target: `/api/v1/${path}/${id}` }))[field] ?? null)
      : null;
  };
  return {
    platform: gateway.platform,
    accountId: account.id,
    prepare: async (name, id) => {
      const [, noun] = /\/(approvals|transfers)\//.exec(operations[name].path) ?? [];
      const prefix = noun === "approvals" ? "apr" : "trf";
      const thing = id && noun && !id.startsWith(prefix) ? await findOther(id) : id;
      return sampleRequest(operations[name], {
        ...owner,
        thing: name === "createTransfer" ? wallet : thing === null ? null : { id: thing },
      });
    },
    findOther,
    call,
  };
}

function dataOf<Data>({ json }: Answer): Data {
  // The gateway has held the answer against the document.
  return (json as { data: Data }).data;
}

type AnyEvent = { type: string; data: { object: { id?: string; cause?: { id: string } | null } } };

const machines: Record<MachineName, StateMachine> = stateMachines;

describe.each(Object.keys(machines) as MachineName[])("%s", (name) => {
  const { property, states, transitions } = machines[name];
  const each = Object.entries(transitions);
  const operationsOfThing = new Set(each.flatMap(([, { from, by = [] }]) => (from ? by : []))) as Set<OperationId>;

  const walk = (transition: string): Scenario => scenarios[`${name}.${transition}` as TransitionName];

  /** A new thing that has come to the state by the fewest transitions; null for the state of what is not there. */
  async function bring(caller: Caller, state: string | null): Promise<string | null> {
    let id: string | null = null;
    for (const transition of shortestWay(transitions, state)) {
      ({ id } = await walk(transition).cause(caller, id));
    }
    return id;
  }

  async function stateOf(caller: Caller, id: string): Promise<unknown> {
    return dataOf<Record<string, unknown>>(await caller.call({ target: `${things[name]}/${id}` }))[property];
  }

  /** Of the thing, of what goes with it, and of what it moved. */
  async function listEventTypes(caller: Caller, id: string | null): Promise<string[]> {
    const ids = id === null ? [] : [id, await caller.findOther(id)];
    const isOne = (other: string | undefined): boolean => other !== undefined && ids.includes(other);
    const events = dataOf<AnyEvent[]>(await caller.call({ target: "/api/v1/events?limit=100" }));
    return events
      .filter(({ data: { object } }) => isOne(object.id) || isOne(object.cause?.id))
      .map(({ type }) => type)
      .reverse();
  }

  const ways = each.flatMap(([transition, { from, to }]) =>
    (from ?? [null]).map((state) => ({ transition, state, to })),
  );
  test.each(ways)("$transition leads from $state to $to, with its events and no others", async (way) => {
    const caller = await createCaller();
    const id = await bring(caller, way.state);
    const scenario = walk(way.transition);
    const before = await listEventTypes(caller, id);
    const caused = await scenario.cause(caller, id);
    expect(await stateOf(caller, caused.id)).toBe(way.to);
    const { emits = [], mayEmit = [] } = transitions[way.transition] ?? {};
    const also = scenario.also ?? [];
    expect([...emits, ...mayEmit]).toEqual(expect.arrayContaining([...also]));
    expect((await listEventTypes(caller, caused.id)).slice(before.length).toSorted()).toEqual(
      [...emits, ...also].toSorted(),
    );
  });

  const refusals = [...operationsOfThing].flatMap((operation) =>
    states
      .filter((state) => !each.some(([, { from, by }]) => by?.includes(operation) && from?.includes(state)))
      .map((state) => ({ operation, state })),
  );
  test.each(refusals)("$operation of one that is $state: INVALID_STATE, and nothing is written", async (refusal) => {
    const caller = await createCaller();
    const id = await bring(caller, refusal.state);
    const request = await caller.prepare(refusal.operation, id);
    const before = await digestDatabase(gateway.database);
    const answer = await caller.call(request);
    expect(answer).toMatchObject(refused("INVALID_STATE"));
    expect(await digestDatabase(gateway.database)).toEqual(before);
  });
});

/** The names of the transitions that lead from nothing to the state. */
function shortestWay(transitions: StateMachine["transitions"], state: string | null): string[] {
  const found = new Map<string | null, string[]>([[null, []]]);
  for (const [reached, way] of found) {
    for (const [name, { from, to }] of Object.entries(transitions)) {
      if ((reached === null ? from === null : from?.includes(reached)) && !found.has(to)) {
        found.set(to, [...way, name]);
      }
    }
  }
  const way = found.get(state);
  if (!way) {
    throw new Error(`No transition leads to ${String(state)}.`);
  }
  return way;
}
