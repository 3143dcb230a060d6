import { enforcedOpenapi, openapi, operations, services, type OperationPolicy, type Service } from "@gateway/contract";
import type { Upstreams } from "@gateway/forwarding";
import type { Express } from "express";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createGatewayApp, entryStages, stagesOf, type Stage } from "../src/app.ts";
import { prepareOperations } from "../src/validation/prepare-operations.ts";
import { createRequestCheck } from "../src/validation/request-check.ts";
import { bareDeps } from "./support/bare-deps.ts";
import { allOperations } from "./support/document-request.ts";

const prepared = prepareOperations(enforcedOpenapi(), { atFirstUse: "responses" });
const requestChecks = new Map(prepared.map((operation) => [operation.operationId, createRequestCheck(operation)]));
const namesOf = (stages: readonly Stage[]): string[] => stages.map(({ name }) => name);

/** An operation that has every stage. */
const demanding: OperationPolicy = {
  ...operations.createWallet,
  personRequired: true,
  freshSignInSeconds: 300,
};

test("every change of an operation's stages shows in pipeline.txt, one line for each operation", async () => {
  const lines = [
    `every request: ${namesOf(entryStages).join(" > ")}`,
    ...allOperations.map((operation) => `${operation.operationId}: ${namesOf(stagesOf(operation)).join(" > ")}`),
  ];
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("pipeline.txt");
});

test("the operations of the generated table are those of the document", () => {
  const verbs = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
  const documented = Object.entries(openapi().paths).flatMap(([path, item]) =>
    Object.keys(item).flatMap((key) => (verbs.includes(key) ? [`${key} ${path}`] : [])),
  );
  expect(allOperations.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(documented.toSorted());
});

/** Every state that a policy can be in, as far as stages depend on it. */
const states = (["read", "write", "admin"] as const).flatMap((permission) =>
  [true, false].flatMap((personRequired) =>
    [null, 300].flatMap((freshSignInSeconds) =>
      [true, false].map((hasBody) => ({ permission, personRequired, freshSignInSeconds, hasBody })),
    ),
  ),
);

test.each(states)("%j: who may call is decided before anything is read, and nothing runs unvalidated", (state) => {
  const names = namesOf(stagesOf({ ...demanding, ...state }));
  const grants = [
    "require-credential",
    ...(state.personRequired ? ["require-person"] : []),
    `require-permission ${state.permission}`,
    ...(state.freshSignInSeconds === null ? [] : ["require-fresh-sign-in 300 s"]),
  ];
  expect(names.slice(0, -3)).toEqual(grants);
  expect(names.slice(-3)).toEqual([
    state.hasBody ? "read-body" : "refuse-body",
    "validate-request",
    "perform-operation",
  ]);
});

describe.each<[string, readonly Service[] | null]>([
  ["the gateway", null],
  ...services.map((service): [string, readonly Service[]] => [`the direct address of ${service}`, [service]]),
  ["a process of two services", ["custody", "market-data"]],
])("%s", (_name, mounted) => {
  const app = createGatewayApp(bareDeps({ requestChecks }), mounted);
  const expected = allOperations.filter(({ service }) => !mounted || mounted.some((one) => one === service));

  test("has the routes of its operations and no other, each with the stages of its operation", () => {
    expect(routesOf(app)).toEqual(
      Object.fromEntries(
        expected.map((operation) => [
          `${operation.method} ${operation.path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
          namesOf(stagesOf(operation)),
        ]),
      ),
    );
  });

  test("begins with the entry stages and ends with the refusals", () => {
    const names = app.router.stack.map(({ route, name }) => (route ? "a route" : name));
    const paths = new Set(expected.map(({ path }) => path));
    expect(names).toEqual([
      ...namesOf(entryStages),
      ...Array.from(paths, () => "a route"),
      "refuseUnknownPath",
      expect.any(String),
    ]);
  });
});

test("a path in other letter case, or with a trailing slash, is another path", () => {
  const app = createGatewayApp(bareDeps({ requestChecks }));
  expect([app.enabled("case sensitive routing"), app.enabled("strict routing")]).toEqual([true, true]);
});

test("a service at an upstream has the same routes with the same stages", () => {
  // No request is sent. Routes depend only on whether a service has an upstream.
  const upstreams = { of: () => ({}) } as unknown as Pick<Upstreams, "of">;
  expect(routesOf(createGatewayApp(bareDeps({ requestChecks, upstreams })))).toEqual(
    routesOf(createGatewayApp(bareDeps({ requestChecks }))),
  );
});

test.each(["ARCHITECTURE.md", "docs/architecture/request.md"])("%s names the stages in their order", (file) => {
  const stages = withoutDetails([...entryStages, ...stagesOf(demanding)]).split(" ");
  const text = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8");
  const lines = text.matchAll(/^(?: {2}[├└]─|req ──| {6}) ([a-z]+(?:-[a-z]+)+|authenticate)(?= |$)/gm);
  const named = Array.from(lines, ([, name]) => name);
  expect(named).toEqual(stages.filter((name) => file === "ARCHITECTURE.md" || named.includes(name)));
  expect(named.length).toBeGreaterThan(6);
});

/** `require-permission write` is the stage require-permission. */
function withoutDetails(stages: readonly Stage[]): string {
  return namesOf(stages)
    .map((name) => name.replace(/ .*/, ""))
    .join(" ");
}

/** The stages of each route, by method and path, as Express has them. */
function routesOf({ router }: Express): Record<string, string[]> {
  const routes: Record<string, string[]> = {};
  for (const { route } of router.stack) {
    for (const { method, name } of route?.stack ?? []) {
      if (route && method) {
        (routes[`${method} ${route.path}`] ??= []).push(name);
      }
    }
  }
  return routes;
}
