import { operations, type OperationId } from "@gateway/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  knownFaults,
  startLibraryJudge,
  expectAgreement,
  wantsEncoded,
  type LibraryJudge,
} from "./support/library-judge.ts";

/** One operation for each kind of request that the document has. The nightly suite covers all operations. */
const oneOfEachKind: readonly OperationId[] = [
  "getWallet", // an id in the path
  "removePerson", // true or false in the query
  "listPayments", // numbers, moments and values in the query
  "createWallet", // a map
  "createPayment", // an object with exactly one member
  "createKycVerification", // objects in objects, and lists of them
  "updateWebhook", // null, and lists of values
  "rollWebhookSecret", // an object that may be empty
];

let judge: LibraryJudge;

beforeAll(async () => {
  judge = await startLibraryJudge();
});
afterAll(() => judge.stop());

test.each(oneOfEachKind.map((operationId) => operations[operationId]))(
  "$operationId: express-openapi-validator refuses what we refuse, and hands on what we hand on",
  (operation) => expectAgreement(judge, operation, { seed: 20_260_101, numRuns: operation.hasBody ? 80 : 25 }),
);

describe.each(knownFaults)("a fault of the library: $fault ($upstream)", ({ examples, explains }) => {
  test.each(examples)("?%s", async (query) => {
    const [own, theirs] = await judge.askBoth({ target: `/api/v1/wallets?${query}` });
    expect([own.status, theirs.status]).toEqual([400, 200]);
    expect([...new URLSearchParams(query)].some(([name, text]) => explains(text, name))).toBe(true);
  });
});

test("reserved characters may stand in a query as they are (RFC 3986, 3.4), where the library wants them encoded", async () => {
  const target = "/api/v1/counterparties?externalId=it's(1)!";
  const [own, theirs] = await judge.askBoth({ target });
  expect(JSON.parse(own.text)).toMatchObject({ query: { externalId: "it's(1)!" } });
  expect(theirs.status).toBe(400);
  expect(wantsEncoded(target, theirs)).toBe(true);
});
