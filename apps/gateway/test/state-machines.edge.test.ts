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
import { dataOf, refused } from "./support/answers.ts";
import { isForPeople, signInAtConsole } from "./support/for-people.ts";
import type { Answer, Ask } from "./support/http-client.ts";
import { fireTimer } from "./support/fire-timer.ts";
import { sampleRequest, type SampleRequest } from "./support/sample-request.ts";
import { ageOwner } from "./support/samples/accounts.ts";
import { createFundedCryptoWallet } from "./support/samples/custody.ts";
import { useGateway, useIssuer } from "./support/use-gateway.ts";

/** An account of its own, and its calls with a key that has every permission. */
type Caller = {
  /** The document's example of the operation, for this resource. Other resources that it names are created. */
  prepare(operation: OperationId, id: string | null): Promise<SampleRequest>;
  call(request: Ask): Promise<Answer>;
  /** Data of a response that must succeed. */
  ask<Data>(request: Ask): Promise<Data>;
  /** Sends a fact like an adapter. */
  tell(port: string, fact: Readonly<Record<string, unknown>>): Promise<void>;
  /** For transitions that only time causes. */
  platform: Platform;
  accountId: string;
  /** The approval of a transfer, or the transfer of an approval: they change together. */
  findOther(id: string): Promise<string | null>;
};

/**
 * Causes a transition over HTTP. `also`: the events that it may emit, or emits once more, and that occur here. `id` is
 * null when the transition creates the resource.
 */
type Scenario = {
  cause(caller: Caller, id: string | null): Promise<{ id: string }>;
  also?: readonly EventType[];
};

/** Every transition of the document. A transition without a scenario does not compile. */
const scenarios: Record<TransitionName, Scenario> = {
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
  "CustodyDeposit.confirm": bySimulation("deposits", "confirmed"),
  "CustodyDeposit.orphan": bySimulation("deposits", "orphaned"),
  "CustodyDeposit.detectAgain": { cause: seeAgain },
  "CustodyApproval.request": byLargeTransfer(),
  "CustodyApproval.approve": byOperation("approveApproval"),
  "CustodyApproval.reject": byOperation("rejectApproval"),
  "CustodyApproval.expire": byClock(86_400),
  "CustodyApproval.cancel": byOperation("cancelTransfer"),
  "CustodyTransfer.initiate": byOperation("createTransfer", { change: large, also: ["custody.approval.requested"] }),
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
      // A counterparty whose name is erased can no longer be verified.
      await caller.platform.orchestra.counterparties.eraseTexts(caller.accountId);
      return byTimer("payment.submit").cause(caller, id);
    },
  },
  "Payment.settle": bySimulation("payments", "settled"),
  "Payment.fail": bySimulation("payments", "failed"),
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
};

expectTypeOf<Omit<typeof scenarios, "Wallet.freeze">>().not.toExtend<typeof scenarios>();

/** The path that reads a resource: `getTransfer` of a `CustodyTransfer`. */
function pathOf(machine: MachineName): string {
  const reader = `get${machine.replace(/^Custody/, "")}`;
  const operation: { path: string } | undefined = operations[reader as OperationId];
  if (operation === undefined) {
    throw new Error(`The document has no ${reader}. A ${machine} has states, so callers must be able to read it.`);
  }
  return operation.path.replace(/\/\{\w+\}$/, "");
}

/** `change`: differences from the document's example. */
function byOperation(
  operation: OperationId,
  // oxlint-disable-next-line typescript/no-explicit-any -- whatever the document's example is
  { change, also = [] }: { change?: (body: any) => object; also?: readonly EventType[] } = {},
): Scenario {
  return {
    cause: async (caller, id) => {
      const prepared = await caller.prepare(operation, id);
      const answer = await caller.call({ ...prepared, ...(change && { body: change(prepared.body) }) });
      const made = dataOf<{ id: string }>(answer, operations[operation].success);
      return id === null ? made : { id };
    },
    also,
  };
}

/** The approval that a transfer of this amount needs. */
function byLargeTransfer(): Scenario {
  return {
    cause: async (caller) => {
      const { body, ...request } = await caller.prepare("createTransfer", null);
      const { approvalId } = await caller.ask<{ approvalId: string }>({ ...request, body: large(body) });
      return { id: approvalId };
    },
  };
}

function large(body: object | undefined): object {
  return { ...body, amount: 1_000_000_000 };
}

/** A report of the network about a transfer that was approved and sent. */
function byChain(type: "submitted" | "dropped"): Scenario {
  return {
    cause: async (caller, id) => {
      const transferId = id ?? expect.unreachable();
      const target = `/api/v1/transfers/${transferId}`;
      const { status, amount: amountMinor, approvalId } = await caller.ask<Schemas["CustodyTransfer"]>({ target });
      if (status === "initiated") {
        await bySimulation("approvals", "approved").cause(caller, approvalId);
        await fireTimer(gateway, { kind: "transfer.submit", subjectId: transferId });
      }
      const transactionHash = `0x${"1".repeat(64)}`;
      await caller.tell("chain", { type, transferId, transactionHash, amountMinor, confirmations: 0 });
      return { id: transferId };
    },
  };
}

/** A report of the venue about an order. */
function byVenue(factOf: (order: Schemas["Order"]) => object, also: readonly EventType[] = []): Scenario {
  return {
    cause: async (caller, id) => {
      const orderId = id ?? expect.unreachable();
      const order = await caller.ask<Schemas["Order"]>({ target: `/api/v1/orders/${orderId}` });
      await caller.tell("venue", { ...factOf(order), orderId });
      return { id: orderId };
    },
    also,
  };
}

/** A fill at the sample's limit and with a taker's fee, so that the whole hold is charged. */
function filled(quantityMinor: number): object {
  const fill = { venueFillId: crypto.randomUUID(), quantityMinor, price: "64250.50", liquidity: "taker", last: null };
  return { type: "filled", ...fill, executedAtMs: Date.now() };
}

function ended(type: "canceled" | "expired" | "replaced") {
  return ({ filledQuantity: filledQuantityMinor }: Schemas["Order"]) => ({ type, filledQuantityMinor });
}

/** Replaces an order, which is opened first if it is not open yet. */
async function replaceOrder(caller: Caller, id: string | null): Promise<{ id: string }> {
  const { status } = await caller.ask<{ status: string }>({ target: `/api/v1/orders/${id}` });
  if (status === "accepted") {
    await byVenue(() => ({ type: "accepted" })).cause(caller, id);
  }
  return caller.ask(await caller.prepare("replaceOrder", id));
}

/** Runs the due work of the resource. */
function byTimer(kind: string): Scenario {
  return {
    cause: async (_caller, id) => {
      const subjectId = id ?? expect.unreachable();
      await fireTimer(gateway, { kind, subjectId });
      return { id: subjectId };
    },
  };
}

/** An advance of the clock runs the work that is due by it. */
function byClock(seconds: number): Scenario {
  return {
    cause: async (caller, id) => {
      await caller.call({ method: "POST", target: "/api/v1/sandbox/clock/advance", body: { seconds } });
      return { id: id ?? expect.unreachable() };
    },
  };
}

/** Creates the sample's payment with this change. */
async function createPayment(caller: Caller, change: object): Promise<{ id: string }> {
  const request = await caller.prepare("createPayment", null);
  return caller.ask({ ...request, body: { ...request.body, ...change } });
}

function bySimulation(noun: string, outcome: string): Scenario {
  return {
    cause: (caller, id) =>
      caller.ask({ method: "POST", target: `/api/v1/sandbox/${noun}/${id}/simulate`, body: { outcome } }),
  };
}

async function seeAgain(caller: Caller, id: string | null): Promise<{ id: string }> {
  const { walletId, amount, transactionHash } = await caller.ask<Schemas["CustodyDeposit"]>({
    target: `/api/v1/deposits/${id}`,
  });
  const body = { walletId, amount, transactionHash };
  return caller.ask({ method: "POST", target: "/api/v1/sandbox/deposits", body });
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
  const ask: Caller["ask"] = async <Data>(request: Ask) => {
    const answer = await call(request);
    return dataOf<Data>(answer, answer.status < 300 ? answer.status : 200);
  };
  const findOther: Caller["findOther"] = async (id) => {
    const [path, field] = id.startsWith("trf_") ? ["transfers", "approvalId"] : ["approvals", "transferId"];
    return /^(?:trf|apr)_/.test(id)
      ? ((await ask<Record<string, string | null>>({ target: `/api/v1/${path}/${id}` }))[field] ?? null)
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
    tell: async (port, fact) => {
      const received = { port, factId: crypto.randomUUID(), accountId: account.id, fact };
      const told = await gateway.platform.inAccount(received.accountId, ({ work }) => work.inbox.receive(received));
      expect(told).toBe("applied");
    },
    ...{ findOther, call, ask },
  };
}

type AnyEvent = { type: string; data: { object: { id?: string; cause?: { id: string } | null } } };

const machines: Record<MachineName, StateMachine> = stateMachines;

describe.each(Object.keys(machines) as MachineName[])("%s", (name) => {
  const { property, states, transitions } = machines[name];
  const each = Object.entries(transitions);
  const operationsOfThing = new Set(each.flatMap(([, { from, by = [] }]) => (from ? by : []))) as Set<OperationId>;

  const walk = (transition: string): Scenario => scenarios[`${name}.${transition}` as TransitionName];

  /**
   * Creates a resource, and brings it to the state by the fewest transitions. The state null is that before its
   * creation.
   */
  async function bring(caller: Caller, state: string | null): Promise<string | null> {
    let id: string | null = null;
    for (const transition of shortestWay(transitions, state)) {
      ({ id } = await walk(transition).cause(caller, id));
    }
    return id;
  }

  async function stateOf(caller: Caller, id: string): Promise<unknown> {
    return (await caller.ask<Record<string, unknown>>({ target: `${pathOf(name)}/${id}` }))[property];
  }

  /** Types of the events of the resource, of its counterpart, and of the wallets that it moved money of. */
  async function listEventTypes(caller: Caller, id: string | null): Promise<string[]> {
    const ids = id === null ? [] : [id, await caller.findOther(id)];
    const isOne = (other: string | undefined): boolean => other !== undefined && ids.includes(other);
    const events = await caller.ask<AnyEvent[]>({ target: "/api/v1/events?limit=100" });
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

/** Names of the transitions that lead from the creation to the state. */
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
