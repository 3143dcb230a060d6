import { describe, expect, test } from "vitest";
import { createReferencePages } from "../src/pages/reference-pages.ts";
import { readApiDocuments, type ApiDocument } from "../src/reference/api-document.ts";

describe("the reference says who may do it:", () => {
  const [gateway] = readApiDocuments();

  /** As if the document said this of the operation that creates a wallet. */
  function referenceWith(said: object): string {
    const operations = gateway?.operations.map((operation) =>
      operation.operationId === "createWallet" ? { ...operation, ...said } : operation,
    );
    const [page] = createReferencePages([{ ...gateway, operations } as ApiDocument]);
    return page?.markdown ?? "";
  }

  test.each([
    ["anybody with the permission", {}, "Permission: `write`. Causes:"],
    [
      "a person",
      { "x-person": "required" },
      "Permission: `write`. Who: a signed-in person, through the console. Causes:",
    ],
    ...(
      [
        [300, "5 minutes"],
        [60, "1 minute"],
        [90, "90 seconds"],
      ] as const
    ).map(([seconds, words]): [string, object, string] => [
      `a person who signed in within ${words}`,
      { "x-person": "required", "x-fresh-sign-in": seconds },
      `Permission: \`write\`. Who: a signed-in person, through the console, who signed in within ${words}. Causes:`,
    ]),
  ])("%s", (_who, said, text) => {
    expect(referenceWith(said)).toContain(text);
  });
});
