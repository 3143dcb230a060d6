import {
  operations,
  stateMachines,
  type EventType,
  type MachineName,
  type OperationId,
  type StateMachine,
  type TransitionName,
} from "@gateway/contract";
import { digestDatabase } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from "vitest";
import type { Answer, Ask } from "./support/http-client.ts";
import { sampleRequest, type SampleRequest } from "./support/sample-request.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

/** An account of its own, and what its key, which may do everything, gets from the gateway. */
type Caller = {
  /** The document's example of the operation, for this thing. What else it names is made. */
  prepare(operation: OperationId, id: string | null): Promise<SampleRequest>;
  call(request: Ask): Promise<Answer>;
};

/** How a transition comes about over HTTP, and which of the events come along that it may emit. `id` is null when it makes the thing. */
type Scenario = {
  cause(caller: Caller, id: string | null): Promise<{ id: string }>;
  also?: readonly EventType[];
};

/** Every transition of the document: one without a scenario does not compile. */
const scenarios = {
  "Wallet.create": byOperation("createWallet"),
  "Wallet.freeze": byOperation("freezeWallet"),
  "Wallet.unfreeze": byOperation("unfreezeWallet"),
  "Wallet.close": byOperation("closeWallet"),
} satisfies Record<TransitionName, Scenario>;

expectTypeOf<Omit<typeof scenarios, "Wallet.freeze">>().not.toExtend<Record<TransitionName, Scenario>>();

/** Where a thing is read. */
const things: Record<MachineName, string> = { Wallet: "/api/v1/wallets" };

function byOperation(operation: OperationId): Scenario {
  return {
    cause: async (caller, id) => {
      const answer = await caller.call(await caller.prepare(operation, id));
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: operations[operation].success });
      return dataOf<{ id: string }>(answer);
    },
  };
}

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway({ keepsStill: true });
});
afterAll(() => gateway.stop());

async function createCaller(): Promise<Caller> {
  const account = await gateway.createAccount();
  const { secret: key } = await gateway.createKey(account, "admin");
  return {
    prepare: (name, id) =>
      sampleRequest(operations[name], {
        platform: gateway.platform,
        accountId: account.id,
        thing: id === null ? null : { id },
      }),
    call: (request) => gateway.call({ ...request, key }),
  };
}

function dataOf<Data>({ json }: Answer): Data {
  // The gateway has held the answer against the document.
  return (json as { data: Data }).data;
}

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

  async function listEventTypes(caller: Caller): Promise<string[]> {
    const events = dataOf<{ type: string }[]>(await caller.call({ target: "/api/v1/events?limit=100" }));
    return events.map(({ type }) => type).reverse();
  }

  const ways = each.flatMap(([transition, { from, to }]) =>
    (from ?? [null]).map((state) => ({ transition, state, to })),
  );
  test.each(ways)("$transition leads from $state to $to, with its events and no others", async (way) => {
    const caller = await createCaller();
    const id = await bring(caller, way.state);
    const scenario = walk(way.transition);
    const before = await listEventTypes(caller);
    const caused = await scenario.cause(caller, id);
    expect(await stateOf(caller, caused.id)).toBe(way.to);
    const { emits = [], mayEmit = [] } = transitions[way.transition] ?? {};
    const also = scenario.also ?? [];
    expect(mayEmit).toEqual(expect.arrayContaining([...also]));
    expect((await listEventTypes(caller)).slice(before.length).toSorted()).toEqual([...emits, ...also].toSorted());
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
    expect(answer).toMatchObject({ status: 409, json: { error: { code: "INVALID_STATE" } } });
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
