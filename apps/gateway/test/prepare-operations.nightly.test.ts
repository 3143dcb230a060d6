import { enforcedOpenapi, type OpenApiDocument } from "@gateway/contract";
import { measureSlowness } from "@gateway/testkit";
import { expect, test } from "vitest";
import { prepareOperations } from "../src/validation/prepare-operations.ts";
import { createRequestCheck } from "../src/validation/request-check.ts";
import { cpuMsOf } from "./support/cpu-time.ts";
import { allOperations } from "./support/document-request.ts";

const prepare = async (document: OpenApiDocument): Promise<unknown> =>
  prepareOperations(document).map((operation) => createRequestCheck(operation));

test("120 operations, each service with schemas of its own, are compiled within 3 s of processor time", async () => {
  const document = multiply(enforcedOpenapi(), Math.ceil(120 / allOperations.length));
  const { result, cpuMs } = await cpuMsOf(() => prepare(document));
  expect((result as unknown[]).length).toBeGreaterThanOrEqual(120);
  expect(cpuMs).toBeLessThan(3000 * (await measureSlowness()));
});

/** The document and copies of it, under other paths and names. */
function multiply(document: OpenApiDocument, times: number): OpenApiDocument {
  const text = JSON.stringify(document);
  for (let copy = 2; copy <= times; copy += 1) {
    const renamed = text.replaceAll(/("#\/components\/schemas\/\w+|"operationId":"\w+)/g, `$1Of${copy}`);
    // The same document, with other names.
    const { paths, components } = JSON.parse(renamed) as OpenApiDocument;
    for (const [path, item] of Object.entries(paths)) {
      document.paths[`/copy-${copy}${path}`] = item;
    }
    for (const [name, schema] of Object.entries(components["schemas"] ?? {})) {
      Object.assign(document.components["schemas"] ?? {}, { [`${name}Of${copy}`]: schema });
    }
  }
  return document;
}
