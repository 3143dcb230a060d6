import { enforcedOpenapi, operations } from "@gateway/contract";
import { createApiKeySecret } from "@gateway/platform/accounts";
import { startServer } from "@gateway/process";
import express, { type RequestHandler } from "express";
import { describe, expect, test } from "vitest";
import { createGatewayApp } from "../src/app.ts";
import { answerProblem } from "../src/pipeline/answer-problem.ts";
import { authenticate } from "../src/pipeline/authenticate.ts";
import { beginCall } from "../src/pipeline/begin-call.ts";
import { runOperation } from "../src/pipeline/run-operation.ts";
import { prepareOperations } from "../src/validation/prepare-operations.ts";
import { createRequestCheck } from "../src/validation/request-check.ts";
import { refused } from "./support/answers.ts";
import { bareDeps } from "./support/bare-deps.ts";
import { createDocumentCheck } from "./support/expect-documented.ts";
import { expectOurAnswer } from "./support/expect-our-answer.ts";
import { ask, type Answer } from "./support/http-client.ts";
import { allOperations } from "./support/document-request.ts";

const requestChecks = new Map(
  prepareOperations(enforcedOpenapi()).map((operation) => [operation.operationId, createRequestCheck(operation)]),
);

describe("deny by default", () => {
  test("an operation that the document has no check for stops the start", () => {
    const checks = new Map(requestChecks);
    checks.delete("listWallets");
    expect(() => createGatewayApp(bareDeps({ requestChecks: checks }))).toThrow(/no check for listWallets/);
  });

  test.each([
    ["that the validator never saw", null],
    ["that the validator approved for another operation", operations.getAccount],
  ])("a request %s gets 500, and the handler does not run", async (_, approvedFor) => {
    let hasRun = false;
    const handler = async (): Promise<{ status: number; data: object }> => {
      hasRun = true;
      return { status: 200, data: {} };
    };
    const approve: RequestHandler = (req, _res, next) => {
      req.call.approvedFor = approvedFor;
      next();
    };
    const deps = bareDeps();
    const app = express().disable("x-powered-by");
    app.use(beginCall(deps), authenticate(deps), approve);
    app.get(operations.listWallets.path, runOperation(operations.listWallets, handler, deps));
    app.use(answerProblem(deps));
    const answer = await askOnce(app);
    expect(answer).toMatchObject(refused("INTERNAL_ERROR"));
    expect(answer.text).not.toContain("approval");
    expect(hasRun).toBe(false);
  });

  test("a check that fails itself gets 500, and the handler does not run", async () => {
    const broken = (): never => {
      throw new Error("the check broke");
    };
    const checks = new Map([...requestChecks.keys()].map((operationId) => [operationId, broken]));
    const answer = await askOnce(createGatewayApp(bareDeps({ requestChecks: checks })));
    expect(answer).toMatchObject(refused("INTERNAL_ERROR"));
  });
});

describe("the check of answers against the document, which every test here makes", () => {
  const check = createDocumentCheck();
  const answer = { headers: {}, rawHeaders: [], text: "" };
  const meta = { requestId: "req_01kk9841qcepwtfawmr5c1z7br" };
  const notFound = { error: { code: "NOT_FOUND", message: "a" }, meta };

  test.each(allOperations)(
    "$operationId: fails for a status or a code that is not declared and for a body that does not fit",
    ({ operationId, method, path, success }) => {
      const request = { method: method.toUpperCase(), target: path.replaceAll(/\{\w+\}/g, "x") };
      expect(() => check(request, { ...answer, status: 418, json: notFound })).toThrow(operationId);
      expect(() => check(request, { ...answer, status: success, json: { data: {}, meta } })).toThrow(/required|must/);
      expect(() => check(request, { ...answer, status: 400, json: { ...notFound, stack: "a" } })).toThrow(/additional/);
      expect(() =>
        check(request, { ...answer, status: 400, json: { error: { ...notFound.error, code: "OTHER" }, meta } }),
      ).toThrow(/allowed values/);
      const answerOf = (code: string) => ({ ...answer, status: 401, json: { error: { code, message: "a" }, meta } });
      expect(() => check(request, answerOf("METHOD_NOT_ALLOWED"))).toThrow(`x-problems of ${operationId}`);
      check(request, answerOf("UNAUTHENTICATED"));
    },
  );
});

async function askOnce(app: express.Express): Promise<Answer> {
  const server = await startServer({ host: "127.0.0.1", port: 0, handler: app });
  const request = { target: operations.listWallets.path, headers: { "X-API-Key": createApiKeySecret(false) } };
  const answer = await ask(server.port, request);
  await server.stop(1000);
  expectOurAnswer(answer, {});
  return answer;
}
