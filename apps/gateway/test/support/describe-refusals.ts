import type { OperationPolicy } from "@gateway/contract";
import { createTypeId } from "@gateway/kernel";
import type { Account, ApiKeyWithSecret, Permission } from "@gateway/platform";
import { digestDatabase } from "@gateway/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isForPeople, signInAtConsole } from "./for-people.ts";
import type { Answer, Ask } from "./http-client.ts";
import { allOperations, bodySchemaOf, idParametersOf, withQuery } from "./document-request.ts";
import { createSharedSamples, sampleRequest, type SampleRequest } from "./sample-request.ts";
import { ageOwner } from "./samples/accounts.ts";
import type { Owner } from "./samples/sample-owner.ts";
import { startTestGateway, type TestGateway } from "./test-gateway.ts";
import { startTestIssuer, type TestIssuer } from "./test-issuer.ts";

const anyId = /([a-z]{3})_[0-7][0-9a-z]{25}/;
const json = { "Content-Type": "application/json" };
const invalid = (field: string): object => ({
  status: 400,
  json: { error: { code: "INVALID_REQUEST", details: [{ field, issue: expect.any(String) }] } },
});

/** What every operation of a service refuses in the same way, in front of a gateway with a database of its own. */
export function describeRefusals(service: string): void {
  const ofService = allOperations.filter((operation) => operation.service === service);
  const sweep = openSweep();
  describeBodies(sweep, ofService);
  describeEmptyBodies(sweep, ofService);
  describeQueries(sweep, ofService);
  describePermissions(sweep, ofService);
  describeIds(sweep, ofService);
}

type Sweep = {
  /** Of the account that samples are made for. */
  accountId(): string;
  /** A request that succeeds. */
  sample(operation: OperationPolicy): Promise<SampleRequest>;
  /** The same for requests that are made wrong: one for all of an operation, for a refusal uses nothing up. */
  sampleInVain: Sweep["sample"];
  /** With an admin key of the account that samples are made for, unless told otherwise. */
  call(request: Ask & { key?: string }): Promise<Answer>;
  /** The same for a request that must leave nothing behind. */
  callInVain: Sweep["call"];
  createKey(permission: Permission): Promise<ApiKeyWithSecret>;
  createStranger(): Promise<Owner>;
};

function openSweep(): Sweep {
  let gateway: TestGateway;
  let account: Account;
  let key: string;
  let issuer: TestIssuer;
  let person: () => Promise<Record<string, string>>;
  beforeAll(async () => {
    issuer = await startTestIssuer();
    gateway = await startTestGateway({ issuer, keepsStill: true });
    account = await gateway.createAccount();
    person = await signInAtConsole(gateway, { issuer, account });
    await ageOwner({ ...gateway, accountId: account.id });
    key = (await gateway.createKey(account, "admin")).secret;
  });
  afterAll(async () => {
    await gateway.stop();
    await issuer.stop();
  });
  const sample: Sweep["sample"] = (operation) => sampleRequest(operation, { ...gateway, accountId: account.id });
  // What only people may do is asked by one, all else by the key, unless told otherwise.
  const call: Sweep["call"] = async (request) =>
    isForPeople(request) && request.key === undefined
      ? gateway.call({ ...request, headers: { ...(await person()), ...request.headers } })
      : gateway.call({ key, ...request });
  return {
    accountId: () => account.id,
    sample,
    sampleInVain: createSharedSamples(sample),
    call,
    callInVain: async (request) => {
      const before = await digestDatabase(gateway.database);
      const answer = await call(request);
      expect(await digestDatabase(gateway.database)).toEqual(before);
      return answer;
    },
    createKey: (permission) => gateway.createKey(account, permission),
    createStranger: async () => ({ platform: gateway.platform, accountId: (await gateway.createAccount()).id }),
  };
}

function describeBodies(sweep: Sweep, operations: readonly OperationPolicy[]): void {
  describe.each(operations.filter(({ hasBody }) => hasBody))("the body of $operationId", (operation) => {
    const sendInVain = async (body: string | Buffer, headers: Ask["headers"] = json): Promise<Answer> =>
      sweep.callInVain({ ...(await sweep.sampleInVain(operation)), headers, body });

    test.each(["surplus", "accountId", "livemode", "secret", "status", "id", "__proto__", "constructor", "toString"])(
      "a field %s that the document does not know is refused and named, and nothing is stored",
      async (field) => {
        const { body } = await sweep.sampleInVain(operation);
        const text = JSON.stringify(Object.fromEntries([[field, sweep.accountId()], ...Object.entries(body ?? {})]));
        expect(await sendInVain(text)).toMatchObject(invalid(field));
      },
    );

    test.each(["null", "[]", "[{}]", '"text"', "5", "true"])("JSON that is no object (%s) is refused", async (text) => {
      expect(await sendInVain(text)).toMatchObject(invalid("body"));
    });

    test.each(["{", '{"name":}', "{'name':'a'}", "{} {}", "NaN", " ", "\u0000"])(
      "broken JSON (%j) is refused",
      async (text) => {
        expect(await sendInVain(text)).toMatchObject(invalid("body"));
      },
    );

    test("bytes that are no UTF-8 are refused, not replaced", async () => {
      expect(await sendInVain(Buffer.from('{"name":"\xff\xfe"}', "latin1"))).toMatchObject(invalid("body"));
    });

    test("no body is refused, with and without its content type", async () => {
      const { method, target } = await sweep.sampleInVain(operation);
      expect(await sweep.callInVain({ method, target })).toMatchObject(invalid("body"));
      expect(await sweep.callInVain({ method, target, headers: { ...json, "Content-Length": "0" } })).toMatchObject(
        invalid("body"),
      );
    });

    test.each([
      {},
      { "Content-Type": "text/plain" },
      { "Content-Type": "application/x-www-form-urlencoded" },
      { "Content-Type": "multipart/form-data; boundary=b" },
      { "Content-Type": "application/json; charset=utf-16" },
      { "Content-Type": "application/json, text/plain" },
      { "Content-Type": "application/jsonp" },
      { ...json, "Content-Encoding": "gzip" },
      { ...json, "Content-Encoding": "br, auth" },
    ])("what does not say that it is plain JSON is 415: %j", async (headers) => {
      const { body } = await sweep.sampleInVain(operation);
      expect(await sendInVain(JSON.stringify(body), headers)).toMatchObject({
        status: 415,
        json: { error: { code: "UNSUPPORTED_MEDIA_TYPE" } },
      });
    });

    test.each(["application/json;charset=UTF-8", 'Application/JSON; charset="utf-8"'])(
      "%s is JSON",
      async (contentType) => {
        const sample = await sweep.sample(operation);
        expect(await sweep.call({ ...sample, headers: { "Content-Type": contentType } })).toMatchObject({
          status: operation.success,
        });
      },
    );
  });

  test.each(operations.filter((operation) => !operation.hasBody))(
    "$operationId takes no body, with its length or in chunks",
    async (operation) => {
      const sample = await sweep.sampleInVain(operation);
      expect(await sweep.callInVain({ ...sample, body: {} })).toMatchObject(invalid("body"));
      expect(
        await sweep.callInVain({ ...sample, body: "{}", headers: { "Transfer-Encoding": "chunked" } }),
      ).toMatchObject(invalid("body"));
    },
  );
}

function describeEmptyBodies(sweep: Sweep, operations: readonly OperationPolicy[]): void {
  const needs = operations
    .filter(({ hasBody }) => hasBody)
    .map((operation) => ({
      operation,
      operationId: operation.operationId,
      ...bodySchemaOf(operation),
    }));
  const send = async (operation: OperationPolicy): Promise<Answer> =>
    sweep.call({ ...(await sweep.sample(operation)), body: {} });

  test.each(needs.filter(({ required = [] }) => required.length > 0))(
    "an empty object as the body of $operationId is refused, and each field that it lacks is named",
    async ({ operation, required = [] }) => {
      const details = required.map((field) => ({ field, issue: "is required" }));
      const answer = await sweep.callInVain({ ...(await sweep.sampleInVain(operation)), body: {} });
      expect(answer).toMatchObject({ status: 400, json: { error: { details } } });
    },
  );

  test.each(needs.filter(({ minProperties }) => minProperties === 1))(
    "an empty object as the body of $operationId, which would ask for nothing, is refused",
    async ({ operation }) => {
      const details = [{ field: "body", issue: "must have at least 1 entry" }];
      expect(await send(operation)).toMatchObject({ status: 400, json: { error: { details } } });
    },
  );

  test.each(needs.filter(({ required = [], minProperties = 0 }) => required.length + minProperties === 0))(
    "an empty object as the body of $operationId is taken, for each field has a default",
    async ({ operation }) => {
      expect(await send(operation)).toMatchObject({ status: operation.success });
    },
  );
}

function describeQueries(sweep: Sweep, operations: readonly OperationPolicy[]): void {
  describe.each(operations)("$operationId", (operation) => {
    test("succeeds with the sample that the refusals here are made from", async () => {
      expect(await sweep.call(await sweep.sample(operation))).toMatchObject({
        status: operation.success,
      });
    });

    test.each(["surplus=1", "accountId=a", "__proto__=1", "constructor=1", "toString", "=1"])(
      "the unknown query parameter %s is refused and named, and nothing is done",
      async (query) => {
        const sample = await sweep.sampleInVain(operation);
        const name = query.split("=")[0] || "query";
        expect(await sweep.callInVain({ ...sample, target: withQuery(sample.target, query) })).toMatchObject(
          invalid(name),
        );
      },
    );

    test("an unknown query parameter is found behind thousands of empty ones too", async () => {
      const sample = await sweep.sampleInVain(operation);
      expect(
        await sweep.callInVain({ ...sample, target: withQuery(sample.target, `${"&".repeat(5000)}surplus=1`) }),
      ).toMatchObject(invalid("surplus"));
    });
  });
}

/** Every key may read. */
const tooWeak = { read: [], write: ["read"], admin: ["read", "write"] } as const;

function describePermissions(sweep: Sweep, operations: readonly OperationPolicy[]): void {
  describe.each(operations.filter(({ permission }) => tooWeak[permission].length > 0))("$operationId", (operation) => {
    test("a key that may not is refused before anything is looked at", async () => {
      for (const permission of tooWeak[operation.permission]) {
        const { secret } = await sweep.createKey(permission);
        const sample = await sweep.sampleInVain(operation);
        const target = withQuery(sample.target.replace(/_[0-7]\w{25}/, "_no-id"), "surplus=1");
        const answer = await sweep.callInVain({
          method: sample.method,
          target,
          key: secret,
          body: operation.hasBody ? "{" : undefined,
        });
        const code = operation.personRequired ? "PERSON_REQUIRED" : "FORBIDDEN";
        expect(answer).toMatchObject({ status: 403, json: { error: { code } } });
      }
    });
  });
}

function describeIds(sweep: Sweep, operations: readonly OperationPolicy[]): void {
  describe.each(operations.filter((operation) => idParametersOf(operation).length > 0))(
    "the id in the path of $operationId",
    (operation) => {
      test("another account's id gets the bytes of an id that never was, whatever the method", async () => {
        const stranger = await sweep.createStranger();
        const theirs = await sampleRequest(operation, stranger);
        const unborn = {
          ...theirs,
          // The sample's id was made with one of our prefixes.
          target: theirs.target.replace(anyId, (_, prefix: string) => createTypeId(prefix)),
        };
        expect(unborn.target).not.toBe(theirs.target);
        for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
          const meant = allOperations.find((one) => one.path === operation.path && one.method === method.toLowerCase());
          const { body } = meant ? await sampleRequest(meant, stranger) : {};
          const foreign = await sweep.callInVain({ target: theirs.target, method, body });
          const never = await sweep.callInVain({ target: unborn.target, method, body });
          expect(comparable(foreign)).toEqual(comparable(never));
          expect([404, 405]).toContain(foreign.status);
        }
        expect(await sweep.callInVain(theirs)).toMatchObject({ status: 404, json: { error: { code: "NOT_FOUND" } } });
      });

      test.each([
        ["text", "nonsense"],
        ["another prefix", createTypeId("acc")],
        ["capital letters", "WAL_01KJPX7NKPF1QB30S1QGT1R7TQ"],
        ["more than 128 bits", "wal_81kjpx7nkpf1qb30s1qgt1r7tq"],
        ["a letter that is not of the alphabet", "wal_01kjpx7nkpf1qb30s1qgt1r7tu"],
        ["NUL", "wal_01kjpx7nkpf1qb30s1qgt1r7t%00"],
        ["a line break at the end", "wal_01kjpx7nkpf1qb30s1qgt1r7tq%0A"],
        ["an encoded slash", "wal_01kjpx7nkpf1qb30s1qgt1r7tq%2F"],
        ["SQL", "'%20or%201=1--"],
        ["overlong UTF-8", "%C0%80"],
        ["half a surrogate pair", "%ED%A0%80"],
        ["half an escape", "%4"],
        ["10,000 characters", "a".repeat(10_000)],
      ])("a malformed one (%s) is refused", async (_, text) => {
        const sample = await sweep.sampleInVain(operation);
        const [, prefix = ""] = anyId.exec(sample.target) ?? [];
        const malformed = text.replace(/^wal|^WAL/, (found) => (found === "wal" ? prefix : prefix.toUpperCase()));
        const target = sample.target.replace(anyId, () => malformed);
        expect(await sweep.callInVain({ ...sample, target })).toMatchObject({
          status: 400,
          json: { error: { code: "INVALID_REQUEST" } },
        });
      });
    },
  );
}

/** Everything of an answer that may not differ: its bytes and headers without request id and count. */
function comparable({ status, headers, text }: Answer): object {
  const {
    "x-request-id": requestId = "",
    "x-ratelimit-remaining": _remaining,
    "x-ratelimit-reset": _reset,
    date: _date,
    ...rest
  } = headers;
  return { status, headers: rest, text: text.replace(requestId, "") };
}
