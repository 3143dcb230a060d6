import { enforcedOpenapi, type OperationPolicy } from "@gateway/contract";
import { prepareOperations } from "../../../src/validation/prepare-operations.ts";
import { createRequestCheck } from "../../../src/validation/request-check.ts";
import { createJudge, type JudgeRequest } from "./judge-request.ts";
import { requestSchemaOf, type RequestSchema } from "./request-schema.ts";

/** The document's schemas of an operation's requests, and the stage that enforces them. */
export type RequestRules = { schema: RequestSchema; judge: JudgeRequest };

/** Compiles the document once for all operations. */
export function createRequestRules(): (operation: OperationPolicy) => RequestRules {
  const document = enforcedOpenapi();
  const checks = new Map(
    prepareOperations(document, { atFirstUse: "responses" }).map((one) => [one.operationId, createRequestCheck(one)]),
  );
  return (operation) => ({
    schema: requestSchemaOf(document, operation),
    judge: createJudge(operation, checks),
  });
}
