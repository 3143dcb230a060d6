import type { OperationPolicy, Service } from "@gateway/contract";
import type { Upstreams } from "@gateway/forwarding";
import { createExpressListener } from "@gateway/process";
import express, { type Express, type RequestHandler } from "express";
import type { RequestListener } from "node:http";
import type { OperationTable } from "./operations/operation.ts";
import { answerProblem } from "./pipeline/answer-problem.ts";
import { authenticate, type AuthenticateDeps } from "./pipeline/authenticate.ts";
import { beginCall } from "./pipeline/begin-call.ts";
import { checkTarget } from "./pipeline/check-target.ts";
import { allowOrigin, requireOrigin, type CrossOriginDeps } from "./pipeline/cross-origin.ts";
import { forwardOperation, type ForwardOperationDeps } from "./pipeline/forward-operation.ts";
import { createFindOperation } from "./pipeline/find-operation.ts";
import { limitRate, type LimitRateDeps } from "./pipeline/limit-rate.ts";
import { readBody } from "./pipeline/read-body.ts";
import { refuseMethod, refusePath } from "./pipeline/refuse-route.ts";
import { requireCredential } from "./pipeline/require-credential.ts";
import { requireFreshSignIn } from "./pipeline/require-fresh-sign-in.ts";
import { requirePermission } from "./pipeline/require-permission.ts";
import { requirePerson } from "./pipeline/require-person.ts";
import { runOperation, type AnyOperationHandler, type RunOperationDeps } from "./pipeline/run-operation.ts";
import { validateRequest, type RequestChecks } from "./pipeline/validate-request.ts";
import type { GatewayObserver } from "./observer.ts";

export type GatewayDeps = CrossOriginDeps &
  AuthenticateDeps &
  LimitRateDeps &
  RunOperationDeps &
  ForwardOperationDeps & {
    observer: GatewayObserver;
    docsUrl: string | null;
    /** What this deployment has: all operations of the document, or those that production has. */
    policies: readonly OperationPolicy[];
    operationTable: OperationTable;
    requestChecks: RequestChecks;
    /** The services that are somebody else's. */
    upstreams: Pick<Upstreams, "of">;
    /** Addresses and networks whose X-Forwarded-For is believed. */
    trustedProxies: readonly string[];
  };

/**
 * The way of a request, top to bottom. Every route comes from the document; what reaches none is refused at the end. Of `services`, those
 * routes alone: what is of another service is a path that never was.
 */
export function createGatewayApp(deps: GatewayDeps, services: readonly Service[] | null = null): Express {
  const mounted = deps.policies.filter(({ service }) => services === null || services.some((one) => one === service));
  const app = express();
  app.enable("case sensitive routing");
  app.enable("strict routing");
  app.disable("x-powered-by");
  // The validator parses the query: Express would do it again at each look.
  app.set("query parser", false);
  app.set("trust proxy", [...deps.trustedProxies]);

  const findOperation = createFindOperation(mounted);
  app.use(beginCall(deps), checkTarget(), allowOrigin(deps));
  app.use(authenticate(deps), limitRate({ ...deps, findOperation }), requireOrigin);
  for (const [path, operationsOfPath] of groupByPath(mounted)) {
    const route = app.route(path);
    for (const operation of operationsOfPath) {
      route[operation.method](
        requireCredential(operation),
        ...(operation.personRequired ? [requirePerson] : []),
        requirePermission(operation),
        ...(operation.freshSignInSeconds === null ? [] : [requireFreshSignIn(operation.freshSignInSeconds, deps)]),
        readBody(operation),
        validateRequest(operation, deps.requestChecks),
        performOperation(operation, deps),
      );
    }
    route.all(refuseMethod(operationsOfPath.map((operation) => operation.method)));
  }
  app.use(refusePath({ here: pathsOf(mounted), anywhere: pathsOf(deps.policies) }), answerProblem(deps));
  return app;
}

/** Here, or at the upstream of its service. */
function performOperation(operation: OperationPolicy, deps: GatewayDeps): RequestHandler {
  const upstream = deps.upstreams.of(operation.service);
  return upstream
    ? forwardOperation(operation, upstream, deps)
    : runOperation(operation, handlerOf(deps.operationTable, operation), deps);
}

export function createGatewayHandler(deps: GatewayDeps, services: readonly Service[] | null): RequestListener {
  return createExpressListener(createGatewayApp(deps, services));
}

function pathsOf(policies: readonly OperationPolicy[]): string[] {
  return [...new Set(policies.map(({ path }) => path))];
}

/** Under the path in Express's spelling (`/wallets/:walletId`). */
function groupByPath(policies: readonly OperationPolicy[]): Map<string, OperationPolicy[]> {
  return Map.groupBy(policies, ({ path }) => path.replaceAll(/\{(\w+)\}/g, ":$1"));
}

function handlerOf(table: OperationTable, operation: OperationPolicy): AnyOperationHandler {
  // The table's type has proved that this handler is of this operation; the validator proves its input at each request.
  return table[operation.operationId as keyof OperationTable] as unknown as AnyOperationHandler;
}
