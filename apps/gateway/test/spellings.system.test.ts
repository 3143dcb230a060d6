import { operations, type OperationPolicy } from "@gateway/contract";
import type { Account } from "@gateway/platform";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { operationTable } from "../src/operations/index.ts";
import type { OperationTable } from "../src/operations/operation.ts";
import { behindProxy, createFreshClients } from "./support/addresses.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import type { Answer } from "./support/http-client.ts";
import { askRaw } from "./support/raw-http.ts";
import { allOperations } from "./support/document-request.ts";
import { sampleRequest } from "./support/sample-request.ts";
import { endings, misspellings, queryTricks } from "./support/spellings.ts";
import { startTestGateway, type TestGateway } from "./support/test-gateway.ts";

const methods = [
  "GET",
  "HEAD",
  "POST",
  "PUT",
  "PATCH",
  "DELETE",
  "OPTIONS",
  "TRACE",
  "CONNECT",
  "PROPFIND",
  "QUERY",
  "get",
  "HACK",
];
/** One operation of each path. */
const paths = [...new Map(allOperations.map((operation) => [operation.path, operation])).values()];

describe("a path is served in one spelling only", () => {
  let gateway: TestGateway;
  let account: Account;
  let key: string;
  let handlersRun: string[] = [];
  const freshClient = createFreshClients();

  beforeAll(async () => {
    gateway = await startTestGateway({
      // A list of requests grows with each.
      logsNothing: true,
      env: behindProxy,
      operationTable: watch(operationTable, (name) => handlersRun.push(name)),
    });
    account = await gateway.createAccount();
    key = (await gateway.createKey(account, "admin")).secret;
  });
  beforeEach(() => {
    handlersRun = [];
  });
  afterAll(() => gateway.stop());

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
  /** Without what it asks for in the query. */
  const pathOf = async (operation: OperationPolicy): Promise<string> => (await targetOf(operation)).split("?")[0] ?? "";

  describe.each(paths)("$path", (operation) => {
    test.each(methods)("without a credential nothing is told, in any spelling: %s", async (method) => {
      const path = await pathOf(operation);
      const targets = [
        ...misspellings.map(({ spell }) => spell(path)),
        ...endings.map((ending) => path + ending),
        ...queryTricks.map((query) => `${path}?${query}`),
      ];
      const answers = await Promise.all(targets.map((target) => send(method, target)));
      const told = targets.filter((_, at) => ![400, 401, 404, 405].includes(answers[at]?.status ?? 0));
      expect(told).toEqual([]);
      expect(answers.filter(({ text }) => text.includes('"data"') || text.includes(account.id))).toEqual([]);
      expect(handlersRun).toEqual([]);
    });

    test.each(misspellings)("with a good key $name is $status, and no handler runs", async ({ spell, status }) => {
      const path = await pathOf(operation);
      const answers = await Promise.all(
        ["GET", "POST", "DELETE"].map((method) => send(method, spell(path), { "X-API-Key": key })),
      );
      expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
      expect(handlersRun).toEqual([]);
    });

    test.each(endings)("with a good key %s at the end is refused, and no handler runs", async (ending) => {
      const path = await pathOf(operation);
      const answers = await Promise.all(
        ["GET", "POST", "DELETE"].map((method) => send(method, path + ending, { "X-API-Key": key })),
      );
      expect(answers.map((answer) => answer.status).filter((status) => ![400, 404, 405].includes(status))).toEqual([]);
      expect(handlersRun).toEqual([]);
    });

    test("other methods get 405 and the list of those that it takes", async () => {
      const taken = Object.values<OperationPolicy>(operations)
        .filter(({ path }) => path === operation.path)
        .map(({ method }) => method.toUpperCase());
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
  });

  const gets = allOperations.filter(({ method }) => method === "get");
  test.each(gets)("HEAD of $path is the GET without its body", async (operation) => {
    const target = await targetOf(operation);
    const headers = { "X-API-Key": key };
    // What is sealed between the two is longer afterwards, so they are compared once nothing changes any more.
    const { get, head } = await vi.waitFor(async () => {
      const [before, between, after] = [
        await send("GET", target, headers),
        await send("HEAD", target, headers),
        await send("GET", target, headers),
      ];
      expect(after.headers["content-length"]).toBe(before.headers["content-length"]);
      return { get: before, head: between };
    }, 10_000);
    expect(head).toMatchObject({ status: 200, text: "" });
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    expect(Object.keys(head.headers)).toEqual(Object.keys(get.headers));
  });

  test("letters of an id may be percent-encoded, for that is the same id (RFC 3986, 6.2.2.2)", async () => {
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

/** The same operations; `onRun` hears of each that is run. */
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
