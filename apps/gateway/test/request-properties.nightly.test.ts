import { chooseSeed, recordSeed } from "@gateway/testkit";
import fc from "fast-check";
import { test } from "vitest";
import { allOperations } from "./support/document-request.ts";
import { expectJudged } from "./support/requests/expect-judged.ts";
import { mutatedRequests } from "./support/requests/mutated-request.ts";
import { createRequestRules } from "./support/requests/request-rules.ts";

/** A request that fails is then added to `keptRequests`. */
const seed = chooseSeed();
const rulesOf = createRequestRules();

test.each(allOperations)("$operationId: what is wrong is named, and what is right is handed on", (operation) => {
  recordSeed(seed);
  const { schema, judge } = rulesOf(operation);
  fc.assert(
    fc.property(mutatedRequests(schema), (mutated) => expectJudged(judge(mutated.request), mutated, schema)),
    { seed, numRuns: 2000 },
  );
});
