import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { problemCodes, type ProblemCode } from "@gateway/contract";
import { keysOf } from "@gateway/kernel";
import { workspace } from "../folders.ts";
import type { ApiDocument, Operation } from "../reference/api-document.ts";
import { plainText, type Page } from "./page.ts";

const folder = join(workspace, "errors");

const errorCodes: readonly ProblemCode[] = keysOf(problemCodes);

/** A page for each code, from its file in `errors`, and their list. Rejects when registry and files differ. */
export async function createErrorPages(gateway: ApiDocument): Promise<Page[]> {
  await requireSameCodes();
  const pages = await Promise.all(errorCodes.map((code) => createErrorPage(code, gateway)));
  return [createList(), ...pages];
}

async function requireSameCodes(): Promise<void> {
  const written = (await readdir(folder)).map((name) => name.replace(/\.md$/, ""));
  const missing = errorCodes.filter((code) => !written.includes(code));
  const unknown = written.filter((name) => !(name in problemCodes));
  if (missing.length + unknown.length > 0) {
    throw new Error(
      `apps/docs/errors must have a file for each error code. Missing: ${missing.join(", ") || "none"}. Unknown: ${unknown.join(", ") || "none"}.`,
    );
  }
}

async function createErrorPage(code: ProblemCode, gateway: ApiDocument): Promise<Page> {
  const { status, title } = problemCodes[code];
  const body = await readFile(join(folder, `${code}.md`), "utf8");
  const callers = gateway.operations.filter((operation) => operation["x-problems"]?.includes(code));
  const markdown = `# ${code}

**${status}** · ${title}.

${body.trim()}

## Where it comes from

${describeCallers(code, callers, gateway.operations)}

How every error is shaped and handled: [Errors](../guides/errors.md).
`;
  const description = `${status}: ${plainText(title)}.`;
  return {
    path: `errors/${code}`,
    kind: "error",
    section: "errors",
    title: code,
    description,
    markdown,
    sources: [`apps/docs/errors/${code}.md`],
  };
}

/** Codes of responses that no operation gives: the request has ended before. */
const answeredBefore: ReadonlySet<string> = new Set<ProblemCode>(["METHOD_NOT_ALLOWED"]);

/** Codes of operations with `x-person`. */
const ofPeople: ReadonlySet<string> = new Set<ProblemCode>(["PERSON_REQUIRED", "FRESH_SIGN_IN_REQUIRED"]);

/** A list that names nearly everything says less than the word. */
const listedAtMost = 12;

function describeCallers(code: string, callers: readonly Operation[], all: readonly Operation[]): string {
  if (answeredBefore.has(code)) {
    return "Any request: it is answered before an operation is reached.";
  }
  if (callers.length === 0 && ofPeople.has(code)) {
    return "No operation yet: it belongs to those that only people may do.";
  }
  if (callers.length === 0) {
    throw new Error(`No operation of the document has ${code} in its x-problems.`);
  }
  if (callers.length > Math.min(listedAtMost, all.length / 2)) {
    return `${callers.length === all.length ? "Every operation" : `${callers.length} of the ${all.length} operations`}.`;
  }
  return callers
    .map(({ operationId, summary = operationId, method, path }) => {
      return `- [${summary}](operation:${operationId}): \`${method} ${path}\``;
    })
    .join("\n");
}

function createList(): Page {
  const rows = errorCodes.map((code) => {
    const { status, title } = problemCodes[code];
    return `| [\`${code}\`](error:${code}) | ${status} | ${title}. |`;
  });
  const markdown = `# Error codes

Every code that an error can carry, with its cause and what to do about it. Decide by \`error.code\`: codes are stable, messages are for people.

| Code | Status | Meaning |
|---|---|---|
${rows.join("\n")}

How an error is shaped, which ones to repeat, and how the client throws them: [Errors](../guides/errors.md). The
[identity provider](../reference/auth.md) responds in the form and with the codes of OAuth instead.
`;
  return {
    path: "errors/index",
    kind: "error",
    section: "errors",
    title: "Error codes",
    sources: ["apps/docs/errors"],
    description: "Every error code of the API, with its cause and what to do about it.",
    markdown,
  };
}
