import { believeProxies } from "@gateway/limits";
import { createFindPath, type FindPath, type OperationPolicy, type Service } from "@gateway/contract";
import type { Upstreams } from "@gateway/forwarding";
import { createExpressListener, prepareExpress } from "@gateway/process";
import express, { type Express, type RequestHandler } from "express";
import type { RequestListener } from "node:http";
import type { OperationTable } from "./operations/operation.ts";
import { answerProblem } from "./pipeline/answer-problem.ts";
import { authenticate, type AuthenticateDeps } from "./pipeline/authenticate.ts";
import { beginCall } from "./pipeline/begin-call.ts";
import { checkTarget } from "./pipeline/check-target.ts";
import { allowOrigin, requireOrigin, type CrossOriginDeps } from "./pipeline/cross-origin.ts";
import { forwardOperation, type ForwardOperationDeps } from "./pipeline/forward-operation.ts";
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
    policies: readonly OperationPolicy[];
    operationTable: OperationTable;
    requestChecks: RequestChecks;
    upstreams: Pick<Upstreams, "of">;
    /** Addresses and networks whose X-Forwarded-For is believed. */
    trustedProxies: readonly string[];
  };

/** One stage of the pipeline. The name also says which rule of the operation decides it: `require-permission write`. */
export type Stage = { name: string; create(deps: MountedDeps): RequestHandler };

type MountedDeps = GatewayDeps & { findPath: FindPath };

/** The stages before a request has a route, in order. Two note a refusal for a later one: `NotedRefusals`. */
export const entryStages: readonly Stage[] = [
  { name: "begin-call", create: beginCall },
  { name: "check-target", create: checkTarget },
  { name: "allow-origin", create: allowOrigin },
  { name: "authenticate", create: authenticate },
  { name: "limit-rate", create: limitRate },
  { name: "require-origin", create: () => requireOrigin },
];

/** The stages of an operation's route, in order. The document decides which of them an operation has. */
export function stagesOf(operation: OperationPolicy): readonly Stage[] {
  const { permission, personRequired, freshSignInSeconds, hasBody } = operation;
  return [
    { name: "require-credential", create: () => requireCredential(operation) },
    ...(personRequired ? [{ name: "require-person", create: () => requirePerson }] : []),
    { name: `require-permission ${permission}`, create: () => requirePermission(operation) },
    ...(freshSignInSeconds === null ? [] : [freshSignInStage(freshSignInSeconds)]),
    { name: hasBody ? "read-body" : "refuse-body", create: () => readBody(operation) },
    { name: "validate-request", create: ({ requestChecks }) => validateRequest(operation, requestChecks) },
    { name: "perform-operation", create: (deps) => performOperation(operation, deps) },
  ];
}

function freshSignInStage(seconds: number): Stage {
  return { name: `require-fresh-sign-in ${seconds} s`, create: (deps) => requireFreshSignIn(seconds, deps) };
}

/** With `services`, the app has only the routes of these services. The last stage refuses all other paths. */
export function createGatewayApp(deps: GatewayDeps, services: readonly Service[] | null = null): Express {
  const mounted = deps.policies.filter(({ service }) => services === null || services.some((one) => one === service));
  const app = prepareExpress(express());
  believeProxies(app, deps.trustedProxies);

  const mountedDeps = { ...deps, findPath: createFindPath(mounted) };
  app.use(...entryStages.map((stage) => mount(stage, mountedDeps)));
  for (const [path, operationsOfPath] of groupByPath(mounted)) {
    const route = app.route(path);
    for (const operation of operationsOfPath) {
      route[operation.method](...stagesOf(operation).map((stage) => mount(stage, mountedDeps)));
    }
    route.all(refuseMethod(operationsOfPath.map((operation) => operation.method)));
  }
  app.use(refusePath({ mounted, policies: deps.policies }), answerProblem(deps));
  return app;
}

function mount({ name, create }: Stage, deps: MountedDeps): RequestHandler {
  return Object.defineProperty(create(deps), "name", { value: name });
}

/** Runs the operation here, or forwards it to the upstream of its service. */
function performOperation(operation: OperationPolicy, deps: GatewayDeps): RequestHandler {
  const upstream = deps.upstreams.of(operation.service);
  return upstream
    ? forwardOperation(operation, upstream, deps)
    : runOperation(operation, handlerOf(deps.operationTable, operation), deps);
}

export function createGatewayHandler(deps: GatewayDeps, services: readonly Service[] | null): RequestListener {
  return createExpressListener(createGatewayApp(deps, services));
}

/** Operations by their path in Express's spelling (`/wallets/:walletId`). */
function groupByPath(policies: readonly OperationPolicy[]): Map<string, OperationPolicy[]> {
  return Map.groupBy(policies, ({ path }) => path.replaceAll(/\{(\w+)\}/g, ":$1"));
}

function handlerOf(table: OperationTable, operation: OperationPolicy): AnyOperationHandler {
  // The table's type proves that this handler belongs to this operation. The validator checks its input at each
  // request.
  return table[operation.operationId as keyof OperationTable] as unknown as AnyOperationHandler;
}
