import { operations, type OperationPolicy } from "@gateway/contract";
import type { Account } from "@gateway/platform/accounts";
import { words } from "@gateway/testkit";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import type { OperationTable } from "../src/operations/operation.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import type { Answer } from "./support/http-client.ts";
import { askRaw } from "./support/raw-http.ts";
import { allOperations } from "./support/document-request.ts";
import { sampleRequest } from "./support/sample-request.ts";
import { endings, misspellings, queryTricks } from "./support/spellings.ts";
import { useGateway } from "./support/use-gateway.ts";

const methods = words`GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND QUERY get HACK`;
/** Every path goes through the same router, so three kinds suffice: a list, an id at the end, and an id inside. */
const kindsOfPath = [
  operations.listWallets,
  operations.getWallet,
  operations.enableWebhook,
] satisfies OperationPolicy[];
/** One path for each set of methods. */
const setsOfMethods = Map.groupBy(Map.groupBy(allOperations, ({ path }) => path).values(), (ofPath) =>
  ofPath
    .map(({ method }) => method)
    .toSorted()
    .join(),
);

describe("a path is served in one spelling only", () => {
  let account: Account;
  let key: string;
  let handlersRun: string[] = [];
  const freshClient = createFreshClients();

  const gateway = useGateway({
    // Otherwise a list of requests would grow with each request.
    logsNothing: true,
    env: behindProxy,
    operationTable: watch(operationTable, (name) => handlersRun.push(name)),
  });
  beforeAll(async () => {
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
  });
  beforeEach(() => {
    handlersRun = [];
  });

  const send = async (method: string, target: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const lines = Object.entries({ Host: "localhost", ...freshClient(), ...headers }).map(
      ([name, value]) => `${name}: ${value}\r\n`,
    );
    const answer = await askRaw(
      gateway.port,
      Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1"),
    );
    expectOurAnswer(answer, { method });
    return answer;
  };
  const targetOf = async (operation: OperationPolicy): Promise<string> =>
    (await sampleRequest(operation, { platform: gateway.platform, accountId: account.id })).target;
  /** The sample's path without its query. */
  const pathOf = async (operation: OperationPolicy): Promise<string> => (await targetOf(operation)).split("?")[0] ?? "";

  const expectNothingTold = async (requests: readonly [method: string, target: string][]): Promise<void> => {
    const answers = await Promise.all(requests.map(([method, target]) => send(method, target)));
    const told = requests.filter((_, at) => ![400, 401, 404, 405].includes(answers[at]?.status ?? 0));
    expect(told).toEqual([]);
    expect(answers.filter(({ text }) => text.includes('"data"') || text.includes(account.id))).toEqual([]);
    expect(handlersRun).toEqual([]);
  };

  test.each(methods)("without a credential nothing is told, by the method %s", async (method) => {
    const paths = await Promise.all(kindsOfPath.map(pathOf));
    const targets = paths.flatMap((path) => [path, path.toUpperCase(), `${path}/`, `${path};x`]);
    await expectNothingTold(targets.map((target) => [method, target]));
  });

  describe.each(kindsOfPath)("$path", (operation) => {
    test("without a credential nothing is told, in any spelling", async () => {
      const path = await pathOf(operation);
      const targets = [
        ...misspellings.map(({ spell }) => spell(path)),
        ...endings.map((ending) => path + ending),
        ...queryTricks.map((query) => `${path}?${query}`),
      ];
      await expectNothingTold(targets.map((target) => [operation.method.toUpperCase(), target]));
    });

    test.each(misspellings)("with a good key $name is $status, and no handler runs", async ({ spell, status }) => {
      const target = spell(await pathOf(operation));
      const answer = await send(operation.method.toUpperCase(), target, { "X-API-Key": key });
      expect(answer.status).toBe(status);
      expect(handlersRun).toEqual([]);
    });

    test.each(endings)("with a good key %s at the end is refused, and no handler runs", async (ending) => {
      const target = (await pathOf(operation)) + ending;
      const answer = await send(operation.method.toUpperCase(), target, { "X-API-Key": key });
      expect([400, 404]).toContain(answer.status);
      expect(handlersRun).toEqual([]);
    });
  });

  test.each([...setsOfMethods])("of a path that takes %s, other methods get 405 and that list", async (_, [ofPath]) => {
    const [operation = operations.listWallets] = ofPath ?? [];
    const taken = (ofPath ?? []).map(({ method }) => method.toUpperCase());
    const allow = taken.includes("GET") ? [...taken, "HEAD"] : taken;
    const target = await targetOf(operation);
    const others = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"].filter(
      (method) => !allow.includes(method),
    );
    for (const method of others) {
      const answer = await send(method, target, { "X-API-Key": key });
      expect(answer.status).toBe(405);
      expect(answer.headers["allow"]?.split(", ").toSorted()).toEqual(allow.toSorted());
    }
    expect(handlersRun).toEqual([]);
  });

  test.each([operations.listWallets, operations.getWallet, operations.getPriceRound])(
    "HEAD of $path is the GET without its body",
    async (operation) => {
      const target = await targetOf(operation);
      const get = await send("GET", target, { "X-API-Key": key });
      const head = await send("HEAD", target, { "X-API-Key": key });
      expect(head).toMatchObject({ status: 200, text: "" });
      expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
      expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers));
    },
  );

  test("letters of an id may be percent-encoded, because that is the same id (RFC 3986, 6.2.2.2)", async () => {
    const { id } = await gateway.platform.ledger.wallets.create({
      accountId: account.id,
      name: "W",
      currency: "EUR",
      metadata: {},
    });
    const answer = await send("GET", `/api/v1/wallets/%77al%5F${id.slice(4)}`, { "X-API-Key": key });
    expect(answer).toMatchObject({ status: 200, json: { data: { id } } });
  });
});

/** The same operations; `onRun` is called for each that runs. */
function watch(table: OperationTable, onRun: (operationId: string) => void): OperationTable {
  const entries = Object.entries(table).map(([operationId, handler]) => [
    operationId,
    (call: never) => {
      onRun(operationId);
      return handler(call);
    },
  ]);
  // The same names with handlers of the same types.
  return Object.fromEntries(entries) as OperationTable;
}
