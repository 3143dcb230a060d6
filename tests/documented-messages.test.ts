import { openapi } from "@gateway/contract";
import { globSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAst } from "vitest/node";
import { readRepositoryFile, repository } from "./support/source-files.ts";

const sources = globSync("{apps/gateway,packages/{contract,engine,forwarding,platform,process}}/src/**/*.ts", {
  cwd: repository,
  exclude: (name) => name === "generated",
});
const patterns = [...sources.flatMap((path) => readPatterns(readRepositoryFile(path))), ...readIssues(openapi())];
const isSent = (message: string): boolean => patterns.some((pattern) => pattern.test(message));

describe("a message that the documentation shows is one that a program sends", () => {
  const pages = globSync("apps/docs/{errors,guides}/*.md", { cwd: repository });
  const shown = pages.flatMap((path) =>
    [...readRepositoryFile(path).matchAll(/"(?:message|issue)": "([^"]+)"/g)].map(([, message = ""]) => [
      path.replace(/^.*\//, ""),
      message,
    ]),
  );

  test.each(shown)("%s: %s", (_page, message) => {
    expect(isSent(message)).toBe(true);
  });
});

describe("so is a message in an example of the document", () => {
  const { responses = {}, examples = {} } = openapi().components;
  test.each([...new Set(readMessages({ responses, examples }))])("%s", (message) => {
    const issue = message.replace(/^The (?:field \S+|body) ([^]*)\.$/, "$1");
    expect(isSent(message) || isSent(issue)).toBe(true);
  });
});

test("a message that no program sends is found", () => {
  expect(isSent("This webhook is asleep; wake it first.")).toBe(false);
});

/** The texts of a source file with at least ten letters, as patterns in which an expression stands for any string. */
function readPatterns(source: string): RegExp[] {
  const found: RegExp[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) {
      node.forEach(visit);
    } else if (typeof node === "object" && node !== null) {
      const { type, value, quasis } = node as {
        type?: string;
        value?: unknown;
        quasis?: { value: { cooked: string } }[];
      };
      const parts = type === "Literal" && typeof value === "string" ? [value] : quasis?.map((one) => one.value.cooked);
      if (parts && parts.join("").length >= 10) {
        found.push(new RegExp(`^${parts.map((part) => RegExp.escape(part)).join("[^]*")}$`));
      }
      Object.values(node).forEach(visit);
    }
  };
  visit(parseAst(source, { lang: "ts" }));
  return found;
}

/** The sentences that schemas give for values that do not fit. */
function readIssues(node: unknown): RegExp[] {
  return valuesOf(node, "x-issue").map((issue) => new RegExp(`^${RegExp.escape(issue)}$`));
}

function readMessages(node: unknown): string[] {
  return [...valuesOf(node, "message"), ...valuesOf(node, "issue")];
}

/** The strings of a property, anywhere below a node. */
function valuesOf(node: unknown, name: string): string[] {
  if (typeof node !== "object" || node === null) {
    return [];
  }
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === name && typeof value === "string" ? [value] : valuesOf(value, name),
  );
}
