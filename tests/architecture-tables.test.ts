import { mayCall, operationsMayCall } from "@gateway/platform/compose/may-call";
import { expect, test } from "vitest";
import { mayImport, testsMayImport } from "./support/layers.ts";
import { ownersOfTables } from "./support/service-tables.ts";
import { readRepositoryFile } from "./support/source-files.ts";

const page = "docs/architecture/imports.md";

const listed = (names: readonly string[] = []): string => names.join(", ") || "none";

function renderImports(): string {
  const rows = Object.entries(mayImport).map(([workspace, names]) => {
    const ofTests = testsMayImport[workspace];
    return `| ${workspace} | ${listed(names)}${ofTests ? `; its tests ${listed(ofTests)}` : ""} |`;
  });
  return ["| Workspace | May import |", "|---|---|", ...rows].join("\n");
}

function renderCalls(): string {
  const more: Readonly<Partial<Record<string, readonly string[]>>> = operationsMayCall;
  const rows = Object.entries(mayCall).map(
    ([service, names]) => `| ${service} | ${listed(tablesOf(service))} | ${listed(names)} | ${listed(more[service])} |`,
  );
  return ["| Service | Tables | May call | Its operations also |", "|---|---|---|---|", ...rows].join("\n");
}

function tablesOf(service: string): string[] {
  const folder = service.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return Array.from(ownersOfTables).flatMap(([table, owner]) => (owner === folder ? [table] : []));
}

test.each([
  ["imports", renderImports()],
  ["calls", renderCalls()],
])(`${page} has the table of %s that the tests enforce`, (name, expected) => {
  const marked = new RegExp(`<!-- ${name} -->\\n([\\s\\S]*?)<!-- /${name} -->`).exec(readRepositoryFile(page))?.[1];
  expect(marked?.trim() === expected ? "" : `Put this between its markers in ${page}:\n\n${expected}\n`).toBe("");
});
