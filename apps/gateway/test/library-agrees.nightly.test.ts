import { randomInt } from "node:crypto";
import { afterAll, beforeAll, test } from "vitest";
import { allOperations } from "./support/document-request.ts";
import { expectAgreement, startLibraryJudge, type LibraryJudge } from "./support/library-judge.ts";

/** `SEED` makes the same requests again. */
const seed = Number(process.env["SEED"] ?? randomInt(2 ** 31));
let judge: LibraryJudge;

beforeAll(async () => {
  judge = await startLibraryJudge();
});
afterAll(() => judge.stop());

test.each(allOperations)(
  `$operationId, with seed ${seed}: express-openapi-validator refuses what we refuse, and hands on what we hand on`,
  (operation) => expectAgreement(judge, operation, { seed, numRuns: operation.hasBody ? 240 : 75 }),
);
