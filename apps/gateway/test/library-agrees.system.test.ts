import { openapi, type OperationPolicy } from "@gateway/contract";
import { startServer, type RunningServer } from "@gateway/process";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import fc from "fast-check";
import { Agent } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerProblem } from "../src/pipeline/answer-problem.ts";
import { beginCall } from "../src/pipeline/begin-call.ts";
import { readBody } from "../src/pipeline/read-body.ts";
import { refusePath } from "../src/pipeline/refuse-route.ts";
import { validateRequest } from "../src/pipeline/validate-request.ts";
import { prepareOperations } from "../src/validation/prepare-operations.ts";
import { createRequestCheck } from "../src/validation/request-check.ts";
import { bareDeps } from "./support/bare-deps.ts";
import { generateRequest } from "./support/generate-request.ts";
import { ask, type Answer, type Ask } from "./support/http-client.ts";
import { allOperations } from "./support/document-request.ts";

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]["apiSpec"];

/** Requests that the library lets through and we refuse. A row that the library has mended fails, and goes. */
const knownFaults = [
  {
    fault: "a text that JavaScript takes for a number is one",
    upstream: "ajv's rule of coercion, https://ajv.js.org/coercion.html",
    examples: ["limit=0x10", "limit=1e1", "limit=5.0", "limit=%205", "limit=%2B5"],
    explains: (text: string) => Number.isFinite(Number(text)) && String(Number(text)) !== text,
  },
  {
    fault: "an infinite number is an integer and within every bound",
    upstream: "https://github.com/ajv-validator/ajv/issues/2212, https://github.com/ajv-validator/ajv/pull/2661",
    examples: ["limit=Infinity", "limit=1e999"],
    explains: (text: string) => Math.abs(Number(text)) === Infinity,
  },
];

const document = openapi();
const agent = new Agent({ keepAlive: true });
let ours: RunningServer;
let library: RunningServer;

beforeAll(async () => {
  ours = await startServer({ host: "127.0.0.1", port: 0, handler: ourStages() });
  library = await startServer({ host: "127.0.0.1", port: 0, handler: libraryMiddleware() });
});
afterAll(async () => {
  agent.destroy();
  await Promise.all([ours.stop(1000), library.stop(1000)]);
});

function askBoth(request: Ask): Promise<[ours: Answer, library: Answer]> {
  return Promise.all([ask(ours.port, request, agent), ask(library.port, request, agent)]);
}

test.each(allOperations)(
  "$operationId: express-openapi-validator refuses what we refuse, and hands on what we hand on",
  async (operation) => {
    const seen = { passed: 0, refused: 0 };
    const property = fc.asyncProperty(generateRequest(document, operation), async (request) => {
      const [own, theirs] = await askBoth(request);
      expect([200, 400, 404]).toContain(own.status);
      seen[own.status === 200 ? "passed" : "refused"] += 1;
      if (own.status === 200) {
        if (!wantsEncoded(request.target, theirs)) {
          expect(theirs).toMatchObject({ status: 200, text: own.text });
        }
      } else if (theirs.status < 400) {
        expect(faultsOf(request.target), `we answer ${own.text}`).not.toEqual([]);
      }
      expect(theirs.status).toBeLessThan(500);
    });
    // The seed is fixed: a change that others make is not refused for a request that luck brings.
    await fc.assert(property, { seed: 20_260_101, numRuns: operation.hasBody ? 80 : 25 });
    expect(Math.min(seen.passed, seen.refused)).toBeGreaterThan(0);
  },
);

describe.each(knownFaults)("a fault of the library: $fault ($upstream)", ({ examples, explains }) => {
  test.each(examples)("?%s", async (query) => {
    const [own, theirs] = await askBoth({ target: `/api/v1/wallets?${query}` });
    expect([own.status, theirs.status]).toEqual([400, 200]);
    expect([...new URLSearchParams(query).values()].some(explains)).toBe(true);
  });
});

test("what may stand in a query as it is (RFC 3986, 3.4) is read by us, and refused by the library, which wants it encoded", async () => {
  const target = "/api/v1/counterparties?externalId=it's(1)!";
  const [own, theirs] = await askBoth({ target });
  expect(JSON.parse(own.text)).toMatchObject({ query: { externalId: "it's(1)!" } });
  expect(theirs.status).toBe(400);
  expect(wantsEncoded(target, theirs)).toBe(true);
});

/** Whether the library refused it for a reserved character that was sent as it is. */
function wantsEncoded(target: string, { status, text }: Answer): boolean {
  // As it was sent: a parser of addresses encodes some of them.
  const values = target.slice(target.indexOf("?") + 1).split("&");
  return (
    status === 400 &&
    text.includes("must be url encoded") &&
    values.some((pair) => /[:/?#[\]@!$'()*+,;]/.test(pair.slice(pair.indexOf("=") + 1)))
  );
}

/** The known faults that can have let this target through. */
function faultsOf(target: string): string[] {
  const texts = [...new URL(target, "http://localhost").searchParams.values()];
  return knownFaults.filter(({ explains }) => texts.some(explains)).map(({ fault }) => fault);
}

/** Our stages that judge a request. Whoever passes is told what an operation would be given. */
function ourStages(): express.Express {
  const checks = new Map(
    prepareOperations(document).map((operation) => [operation.operationId, createRequestCheck(operation)]),
  );
  const app = createApp();
  const deps = bareDeps();
  app.use(beginCall(deps));
  for (const operation of allOperations) {
    const tell: RequestHandler = (req, res) => res.json({ query: req.call.query, body: req.body });
    app[operation.method](routeOf(operation), readBody(operation), validateRequest(operation, checks), tell);
  }
  app.use(refusePath({ here: [], anywhere: [] }), answerProblem(deps));
  return app;
}

/** The library as its README installs it, on the same document. */
function libraryMiddleware(): express.Express {
  const app = createApp();
  app.use(express.json({ strict: false }));
  app.use(
    OpenApiValidator.middleware({
      apiSpec: document as ApiSpec,
      validateApiSpec: false,
      validateSecurity: false,
      ajvFormats: { mode: "full" },
    }),
  );
  for (const operation of allOperations) {
    app[operation.method](routeOf(operation), (req, res) => res.json({ query: req.query, body: req.body }));
  }
  const refuseOthers: RequestHandler = (_req, res) => {
    res.status(404).json({});
  };
  const refuse: ErrorRequestHandler = (
    { status = 500, message }: { status?: number; message: string },
    _req,
    res,
    _next,
  ) => {
    res.status(status).json({ message });
  };
  app.use(refuseOthers, refuse);
  return app;
}

function createApp(): express.Express {
  return express().enable("case sensitive routing").enable("strict routing");
}

function routeOf({ path }: OperationPolicy): string {
  return path.replaceAll(/\{(\w+)\}/g, ":$1");
}
