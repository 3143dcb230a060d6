import type { OperationPolicy } from "@gateway/contract";
import { createTypeId } from "@gateway/kernel";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { comparable, invalid, refused } from "./support/answers.ts";
import { allOperations, idParametersOf, withQuery } from "./support/document-request.ts";
import type { Answer } from "./support/http-client.ts";
import { firstOfEachService } from "./support/operation-classes.ts";
import { openSampleWorld, type SampleWorld } from "./support/sample-world.ts";
import { sampleRequest } from "./support/sample-request.ts";

const anyId = /([a-z]{3})_[0-7][0-9a-z]{25}/;
const json = { "Content-Type": "application/json" };
const unsupported = refused("UNSUPPORTED_MEDIA_TYPE");

/*
 * Every operation of a service is checked by the same stages (pipeline.test.ts). The property of
 * request-properties.test.ts checks each operation's schema. Here one operation a service shows, through a socket, that
 * a refusal leaves nothing behind.
 */
let world: SampleWorld;
beforeAll(async () => {
  world = await openSampleWorld();
});
afterAll(() => world.stop());

describe.each(firstOfEachService(({ hasBody }) => hasBody))(
  "$name: the body of $operation.operationId",
  ({ operation }) => {
    const send = async (body: string | Buffer, headers: Record<string, string> = json): Promise<Answer> =>
      world.callInVain({ ...(await world.sharedSample(operation)), headers, body });

    test.each(["surplus", "accountId", "__proto__"])("a field %s is refused and named", async (field) => {
      const { body } = await world.sharedSample(operation);
      const text = JSON.stringify(Object.fromEntries([[field, world.accountId], ...Object.entries(body ?? {})]));
      expect(await send(text)).toMatchObject(invalid(field));
    });

    test("an absent body, a list, broken JSON and bytes that are not UTF-8 are refused", async () => {
      const { method, target } = await world.sharedSample(operation);
      expect(await world.callInVain({ method, target })).toMatchObject(invalid("body"));
      expect(await send("[]")).toMatchObject(invalid("body"));
      expect(await send('{"name":}')).toMatchObject(invalid("body"));
      expect(await send(Buffer.from('{"name":"\xff\xfe"}', "latin1"))).toMatchObject(invalid("body"));
    });

    test("what does not say that it is plain JSON is 415", async () => {
      const text = JSON.stringify((await world.sharedSample(operation)).body);
      expect(await send(text, { "Content-Type": "text/plain" })).toMatchObject(unsupported);
      expect(await send(text, { ...json, "Content-Encoding": "gzip" })).toMatchObject(unsupported);
    });
  },
);

describe.each(firstOfEachService(({ hasBody }) => !hasBody))("$name: $operation.operationId", ({ operation }) => {
  test("takes no body, with its length or in chunks", async () => {
    const sample = await world.sharedSample(operation);
    expect(await world.callInVain({ ...sample, body: {} })).toMatchObject(invalid("body"));
    const headers = { "Transfer-Encoding": "chunked" };
    expect(await world.callInVain({ ...sample, body: "{}", headers })).toMatchObject(invalid("body"));
  });

  test("refuses and names an unknown query parameter", async () => {
    const sample = await world.sharedSample(operation);
    for (const [query, field] of [
      ["surplus=1", "surplus"],
      ["__proto__=1", "__proto__"],
      ["=1", "query"],
    ] as const) {
      const target = withQuery(sample.target, query);
      expect(await world.callInVain({ ...sample, target })).toMatchObject(invalid(field));
    }
  });
});

describe.each(firstOfEachService(({ permission, personRequired }) => permission !== "read" && !personRequired))(
  "$name: $operation.operationId",
  ({ operation }) => {
    test("a key that may not call it is refused before anything is looked at", async () => {
      const { secret } = await world.createKey("read");
      const sample = await world.sharedSample(operation);
      const target = withQuery(sample.target.replace(/_[0-7]\w{25}/, "_no-id"), "surplus=1");
      const body = operation.hasBody ? "{" : undefined;
      const answer = await world.callInVain({ method: sample.method, target, key: secret, body });
      expect(answer).toMatchObject(refused("FORBIDDEN"));
    });
  },
);

describe.each(firstOfEachService((operation) => idParametersOf(operation).length > 0))(
  "$name: the id in the path of $operation.operationId",
  ({ operation }) => {
    test("another account's id gets the bytes of an id that never was, whatever the method", async () => {
      const stranger = await world.createStranger();
      const theirs = await sampleRequest(operation, stranger);
      const unborn = theirs.target.replace(anyId, (_, prefix: string) => createTypeId(prefix));
      expect(unborn).not.toBe(theirs.target);
      for (const method of ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]) {
        const meant = operationAt(operation.path, method);
        const { body } = meant ? await sampleRequest(meant, stranger) : {};
        const foreign = await world.callInVain({ target: theirs.target, method, body });
        const never = await world.callInVain({ target: unborn, method, body });
        expect(comparable(foreign)).toEqual(comparable(never));
        expect([404, 405]).toContain(foreign.status);
      }
      expect(await world.callInVain(theirs)).toMatchObject(refused("NOT_FOUND"));
    });

    test.each([
      ["another prefix", createTypeId("acc")],
      ["NUL", "wal_01kjpx7nkpf1qb30s1qgt1r7t%00"],
      ["overlong UTF-8", "%C0%80"],
      ["half an escape", "%4"],
    ])("a malformed one (%s) is refused", async (_, malformed) => {
      const sample = await world.sharedSample(operation);
      const [, prefix = ""] = anyId.exec(sample.target) ?? [];
      const target = sample.target.replace(anyId, () => malformed.replace(/^wal/, prefix));
      const expected = refused("INVALID_REQUEST");
      expect(await world.callInVain({ ...sample, target })).toMatchObject(expected);
    });
  },
);

/** One stage checks all ids, but each operation decides which resources it finds, so each is called once. */
describe.each(allOperations.filter((operation) => idParametersOf(operation).length > 0))(
  "$operationId",
  (operation) => {
    test("404 for a resource of another account, so ids cannot be probed", async () => {
      const theirs = await sampleRequest(operation, await world.createStranger());
      expect(await world.callInVain(theirs)).toMatchObject(refused("NOT_FOUND"));
    });
  },
);

function operationAt(path: string, method: string): OperationPolicy | undefined {
  return allOperations.find((one) => one.path === path && one.method === method.toLowerCase());
}
