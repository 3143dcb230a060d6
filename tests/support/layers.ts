import { join } from "node:path/posix";
import { mayCall } from "@gateway/platform/compose/may-call";
import { isTestFile, packageOf, workspaceOf, type Import } from "./imports.ts";

/**
 * The packages that each workspace may import. An import of any other package of this repository is forbidden. Tests
 * may also use the testkit. `bench` and `tests` may import anything, and no workspace imports them.
 */
export const mayImport: Readonly<Record<string, readonly string[]>> = {
  openapi: [],
  "packages/kernel": [],
  "packages/contract": [],
  "packages/design": [],
  "packages/database": ["kernel"],
  "packages/schema": [],
  "packages/webhooks": [],
  "packages/ports": ["kernel", "contract"],
  "packages/engine": ["kernel", "database", "contract", "ports"],
  "packages/platform": ["kernel", "database", "schema", "webhooks", "contract", "engine", "ports"],
  "packages/simulation": ["kernel", "platform", "ports"],
  "packages/client": ["contract", "webhooks"],
  "packages/process": ["kernel", "database"],
  "packages/forwarding": ["contract", "kernel", "ports"],
  "packages/limits": ["kernel"],
  "packages/upstream": [],
  "packages/testkit": ["kernel", "database", "schema", "platform"],
  "apps/gateway": [
    "contract",
    "kernel",
    "database",
    "platform",
    "forwarding",
    "process",
    "limits",
    "simulation",
    "engine",
    "ports",
  ],
  "apps/auth": ["contract", "design", "kernel", "database", "platform", "process", "limits", "engine"],
  "apps/dispatcher": ["contract", "kernel", "database", "platform", "webhooks", "process", "engine"],
  "apps/worker": ["kernel", "database", "forwarding", "platform", "process", "simulation", "engine", "ports"],
  "apps/receiver": ["kernel", "webhooks", "process"],
  "apps/admin": ["kernel", "database", "platform", "engine"],
  "apps/review": [],
  "apps/docs": ["contract", "design", "kernel", "process"],
  "apps/console": ["client", "contract", "database", "design", "kernel", "limits", "platform", "process", "webhooks"],
  "apps/demo": ["design", "kernel"],
  "apps/local": [
    ...["gateway", "auth", "console", "dispatcher", "worker", "receiver", "docs"],
    ...["contract", "kernel", "database", "engine", "platform", "forwarding", "webhooks", "process", "simulation"],
  ],
};

/**
 * Additional packages that tests may import: a receiver's certificates for deliveries over TLS, or the document that
 * the server enforces, for a comparison.
 */
export const testsMayImport: Readonly<Record<string, readonly string[]>> = {
  "packages/database": ["platform", "schema"],
  "packages/schema": ["database"],
  "packages/engine": ["platform"],
  "apps/dispatcher": ["receiver"],
  "apps/gateway": ["upstream"],
};

/** Published packages bundle the code and the types of these packages, so they are development dependencies only. */
export const builtInto: Readonly<Record<string, readonly string[]>> = {
  "packages/client": ["@gateway/contract", "@gateway/webhooks"],
};

const mayImportAll: readonly string[] = ["bench", "tests"];
const neverImported: readonly string[] = ["bench", "tests", "local", "admin", "demo", "review"];

/** Returns the fault of an import, or null. */
export function judgeImport(one: Import): string | null {
  return judgeWorkspaces(one) ?? judgeRooms(one);
}

/** Judges imports between workspaces. */
function judgeWorkspaces({ from, specifier, file }: Import): string | null {
  const workspace = workspaceOf(from);
  if (file !== null) {
    return workspaceOf(file) === workspace || workspace === "tests"
      ? null
      : "reaches into another workspace by its path";
  }
  const name = ourNameOf(packageOf(specifier) ?? "");
  if (name === undefined) {
    return null;
  }
  if (neverImported.includes(name)) {
    return `${name} may not be imported`;
  }
  if (name === "testkit") {
    return isTestFile(from) || workspace === "bench" ? null : "the testkit is for tests and for the bench";
  }
  if (isTestFile(from) && testsMayImport[workspace]?.includes(name)) {
    return null;
  }
  if (mayImportAll.includes(workspace) || mayImport[workspace]?.includes(name)) {
    return null;
  }
  return `${workspace} may not import ${name}`;
}

/** The client is published under a name of its own. Private packages are in a scope from which nothing is installed. */
function ourNameOf(packageName: string): string | undefined {
  return packageName === "gateway-api-client" ? "client" : /^@gateway\/(.+)$/.exec(packageName)?.[1];
}

/**
 * Judges imports inside the platform: a service imports another only by its face, and only if the table of allowed
 * calls has it.
 */
function judgeServices(from: string, file: string): string | null {
  const service = serviceOf(from);
  const target = serviceOf(file);
  if (service === null || target === null || service === target) {
    return null;
  }
  if (!isCallAllowed(service, target)) {
    return `${service} may not call ${target} (compose/may-call.ts)`;
  }
  return file.endsWith("/index.ts") ? null : `${target} is imported by its face, its index.ts`;
}

function isCallAllowed(service: string, target: string): boolean {
  const allowed: Readonly<Record<string, readonly string[]>> = mayCall;
  return allowed[keyOf(service)]?.includes(keyOf(target)) ?? false;
}

/** The key of a service: `market-data` is `marketData`. */
function keyOf(service: string): string {
  return service.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** The folders that are not services: the composition of the services, and the actions across them. */
export const roomsOfPlatform: readonly string[] = ["compose", "acts"];

function serviceOf(path: string): string | null {
  const [, folder = ""] = /^packages\/platform\/src\/([\w-]+)\//.exec(path) ?? [];
  return folder === "" || roomsOfPlatform.includes(folder) ? null : folder;
}

/**
 * The rooms of an app: the other rooms that each may import. Files next to the rooms in `src` compose them. A room may
 * import such a file only if `beside` lists it.
 */
const roomsOf: Readonly<
  Record<string, { rooms: Readonly<Record<string, readonly string[]>>; beside: readonly string[] }>
> = {
  "apps/auth": {
    rooms: {
      views: [],
      browser: [],
      provider: ["browser"],
      api: ["provider"],
      pages: ["views", "browser", "provider"],
    },
    beside: [],
  },
  "apps/console": {
    rooms: { serve: [], build: ["serve"], session: ["serve"], proxy: ["session"] },
    beside: ["folders.ts", "metrics.ts"],
  },
  "apps/dispatcher": { rooms: { sending: [], mail: [] }, beside: ["config.ts", "metrics.ts"] },
  "apps/docs": {
    rooms: {
      html: [],
      markdown: ["html"],
      reference: ["markdown"],
      pages: ["reference"],
      site: ["html", "markdown", "reference", "pages"],
      serve: ["html", "site"],
    },
    // The index is built with the options of the browser's search.
    beside: ["folders.ts", "../browser/search-options.ts"],
  },
};

/** Screens are separate from each other. Code that two of them need is a part. */
function judgeScreens(from: string, file: string): string | null {
  const [screen, target] = [from, file].map((path) => /^apps\/console\/browser\/screens\/(\w+)\//.exec(path)?.[1]);
  if (target === undefined || screen === target) {
    return null;
  }
  return screen !== undefined || from !== "apps/console/browser/router.tsx"
    ? "a screen is imported by the router alone, and no screen imports another"
    : null;
}

/** The folders of the console's parts, `apps/console/browser/parts/`: each may import those before it. */
const partKinds = ["page", "shown", "call", "fields", "names", "dialog", "list"] as const;

function judgeParts(from: string, file: string): string | null {
  const [kind, target] = [from, file].map((path) =>
    partKinds.findIndex((one) => path.startsWith(`apps/console/browser/parts/${one}/`)),
  ) as [number, number];
  return kind !== -1 && target > kind
    ? `parts/${partKinds[kind]} may import ${partKinds.slice(0, kind).join(", ") || "no other part"}`
    : null;
}

function judgeRoomsOfApp(from: string, file: string): string | null {
  const app = workspaceOf(from);
  const table = roomsOf[app];
  const room = roomIn(app, from);
  if (!table || room === null || relativeTo(`${app}/src`, file, table.beside)) {
    return null;
  }
  const target = roomIn(app, file);
  const allowed = table.rooms[room];
  return target !== null && (target === room || allowed?.includes(target))
    ? null
    : `in ${app} ${room} may import ${allowed?.join(", ") || "no other room"}`;
}

function relativeTo(folder: string, file: string, allowed: readonly string[]): boolean {
  return allowed.some((path) => join(folder, path) === file);
}

function roomIn(app: string, path: string): string | null {
  const [, room = null] = path.startsWith(`${app}/src/`) ? (/^[^/]+\/[^/]+\/src\/([\w-]+)\//.exec(path) ?? []) : [];
  return room;
}

/** Inside an app: main -> app -> pipeline, operations. */
function judgeRooms({ from, file }: Import): string | null {
  if (file === null || isTestFile(from)) {
    return null;
  }
  const foreign =
    judgeServices(from, file) ?? judgeScreens(from, file) ?? judgeParts(from, file) ?? judgeRoomsOfApp(from, file);
  if (foreign !== null) {
    return foreign;
  }
  if (/^apps\/\w+\/src\/main\.ts$/.test(file)) {
    return "main.ts is where a program begins, and no file imports it";
  }
  const room = roomOf(from);
  const target = roomOf(file);
  if (room === "pipeline" && target === "operations" && !isOperationContract(file)) {
    return "the pipeline knows operations only by their type, operations/operation.ts";
  }
  if (room === "operations" && !isOperationTable(from) && !mayOperationImport(from, file)) {
    return "an operation imports operation.ts and mailed-links.ts, and no other operation";
  }
  const isInner = room !== "top" && target === "top";
  return isInner && /\/(?:app|start-gateway|config)\.ts$/.test(file)
    ? "what is inside does not import what puts it together"
    : null;
}

function roomOf(path: string): string {
  return /^apps\/gateway\/src\/(\w+)\//.exec(path)?.[1] ?? "top";
}

function isOperationTable(path: string): boolean {
  return /^apps\/gateway\/src\/operations\/(?:[\w-]+\/)?index\.ts$/.test(path);
}

function isOperationContract(path: string): boolean {
  return path === "apps/gateway/src/operations/operation.ts";
}

/** How operations mail a link to a person who may be a stranger. */
function isSharedByOperations(path: string): boolean {
  return path === "apps/gateway/src/operations/mailed-links.ts";
}

function mayOperationImport(from: string, file: string): boolean {
  if (isOperationContract(from)) {
    return file === "apps/gateway/src/pipeline/call.ts";
  }
  return isOperationContract(file) || isSharedByOperations(file);
}
