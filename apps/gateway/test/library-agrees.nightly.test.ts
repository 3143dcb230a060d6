import { chooseSeed, recordSeed } from "@gateway/testkit";
import { afterAll, beforeAll, test } from "vitest";
import { allOperations } from "./support/document-request.ts";
import { expectAgreement, startLibraryJudge, type LibraryJudge } from "./support/library-judge.ts";

const seed = chooseSeed();
let judge: LibraryJudge;

beforeAll(async () => {
  judge = await startLibraryJudge();
});
afterAll(() => judge.stop());

test.each(allOperations)(
  "$operationId: express-openapi-validator refuses what we refuse, and hands on what we hand on",
  async (operation) => {
    recordSeed(seed);
    await expectAgreement(judge, operation, { seed, numRuns: operation.hasBody ? 240 : 75 });
  },
);
