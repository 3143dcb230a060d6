import { openapi, type OperationPolicy } from "@gateway/contract";
import { startServer } from "@gateway/process";
import express, { type ErrorRequestHandler, type RequestHandler } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import fc from "fast-check";
import { Agent } from "node:http";
import { expect } from "vitest";
import { answerProblem } from "../../src/pipeline/answer-problem.ts";
import { beginCall } from "../../src/pipeline/begin-call.ts";
import { readBody } from "../../src/pipeline/read-body.ts";
import { refusePath } from "../../src/pipeline/refuse-route.ts";
import { validateRequest } from "../../src/pipeline/validate-request.ts";
import { prepareOperations } from "../../src/validation/prepare-operations.ts";
import { createRequestCheck } from "../../src/validation/request-check.ts";
import { bareDeps } from "./bare-deps.ts";
import { allOperations } from "./document-request.ts";
import { ask, type Answer, type Ask } from "./http-client.ts";
import { mutatedRequests } from "./requests/mutated-request.ts";
import { wholeRequests, type RequestParts } from "./requests/request-parts.ts";
import { requestSchemaOf } from "./requests/request-schema.ts";

type ApiSpec = Parameters<typeof OpenApiValidator.middleware>[0]["apiSpec"];

/** Sends one request to our stages and to express-openapi-validator. */
export type LibraryJudge = { askBoth(request: Ask): Promise<[ours: Answer, library: Answer]>; stop(): Promise<void> };

/**
 * Faults by which the library approves requests that we refuse. A row fails when the library is fixed, and is then
 * removed.
 */
export const knownFaults = [
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
  {
    fault: "an unknown parameter whose name begins with a bracket is left out",
    upstream: "its BracketNotationHandler",
    examples: ["[=1", "%5B%20=1", "[a]=1"],
    explains: (_text: string, name: string) => name.startsWith("["),
  },
];

const document = openapi();

export async function startLibraryJudge(): Promise<LibraryJudge> {
  const agent = new Agent({ keepAlive: true });
  const [ours, library] = await Promise.all(
    [ourStages(), libraryMiddleware()].map((handler) => startServer({ host: "127.0.0.1", port: 0, handler })),
  );
  if (!ours || !library) {
    throw new Error("Both servers were started.");
  }
  return {
    askBoth: (request) => Promise.all([ask(ours.port, request, agent), ask(library.port, request, agent)]),
    stop: async () => {
      agent.destroy();
      await Promise.all([ours.stop(1000), library.stop(1000)]);
    },
  };
}

/** Fails with a request that both judge differently, other than by a known fault of the library. */
export async function expectAgreement(
  { askBoth }: LibraryJudge,
  operation: OperationPolicy,
  { seed, numRuns }: { seed: number; numRuns: number },
): Promise<void> {
  const seen = { passed: 0, refused: 0 };
  const property = fc.asyncProperty(requestsTo(operation), async (request) => {
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
  await fc.assert(property, { seed, numRuns });
  expect(Math.min(seen.passed, seen.refused)).toBeGreaterThan(0);
}

/**
 * The document's examples, and mutations of them, as in request-properties.test.ts. Strings that Postgres cannot store
 * are left out, because no schema mentions them, and so are headers that are too large. The body is never absent,
 * because express.json reads an absent body as `{}`.
 */
function requestsTo(operation: OperationPolicy): fc.Arbitrary<Ask> {
  const schema = requestSchemaOf(document, operation);
  const mutated = mutatedRequests(schema)
    .filter(({ edits }) => edits.every(({ outcome }) => outcome !== "unstorable"))
    .map(({ request }) => request);
  return fc
    .oneof({ weight: 9, arbitrary: mutated }, { weight: 1, arbitrary: fc.constantFrom(...wholeRequests(schema)) })
    .map((request) => written(operation, request))
    .filter(
      ({ target, headers, body }) =>
        JSON.stringify([target, headers]).length < 12_000 && (body !== undefined || !operation.hasBody),
    );
}

function written({ path, method, hasBody }: OperationPolicy, { params, query, headers, body }: RequestParts): Ask {
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encode(params[name] ?? ""));
  const pairs = query.map(([name, text]) => `${encode(name)}=${encode(text)}`);
  // Node's client sends no other characters (RFC 9110, 5.5).
  const sendable = Object.entries(headers).map(([name, text]) => [
    name,
    text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?"),
  ]);
  return {
    method: method.toUpperCase(),
    target: pairs.length > 0 ? `${target}?${pairs.join("&")}` : target,
    headers: { ...Object.fromEntries(sendable), ...(hasBody && { "Content-Type": "application/json" }) },
    body: body === undefined ? undefined : JSON.stringify(body),
  };
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

/** Whether the library refused a reserved character that was not encoded. */
export function wantsEncoded(target: string, { status, text }: Answer): boolean {
  // Reads the target unparsed, because a URL parser encodes some of them.
  const values = target.slice(target.indexOf("?") + 1).split("&");
  return (
    status === 400 &&
    text.includes("must be url encoded") &&
    values.some((pair) => /[:/?#[\]@!$'()*+,;]/.test(pair.slice(pair.indexOf("=") + 1)))
  );
}

/** The known faults that can have let this target through. */
function faultsOf(target: string): string[] {
  const pairs = [...new URL(target, "http://localhost").searchParams];
  return knownFaults
    .filter(({ explains }) => pairs.some(([name, text]) => explains(text, name)))
    .map(({ fault }) => fault);
}

/** Our stages that check a request. The response to an approved one holds the input that an operation would receive. */
function ourStages(): express.Express {
  const checks = new Map(
    prepareOperations(document).map((operation) => [operation.operationId, createRequestCheck(operation)]),
  );
  const app = createApp();
  const deps = bareDeps();
  app.use(beginCall(deps));
  for (const operation of allOperations) {
    const tell: RequestHandler = (req, res) => res.json({ query: req.call.input?.query, body: req.call.input?.body });
    app[operation.method](routeOf(operation), readBody(operation), validateRequest(operation, checks), tell);
  }
  app.use(refusePath({ mounted: [], policies: [] }), answerProblem(deps));
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
