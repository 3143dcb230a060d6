import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Response } from "../rules/rule.ts";

/**
 * A line of `x-codes`. `example` is a message as a caller reads it; only codes that operations name in `x-problems`
 * have one.
 */
type Code = { status: number; title: string; meaning: string; example?: string };

export type Registry = Readonly<Record<string, Code>>;

type Example = { value?: { error?: { code?: unknown } } };

const components = join(import.meta.dirname, "../components");

/** The parts that all services share, from their files. */
export type SharedComponents = {
  /** All error codes, in their order. */
  registry(): Registry;
  /** A fresh copy, because Redocly CLI changes nodes and visits each object once. */
  response(name: string): Response;
};

/** Parses each file once. There are few files and many operations, so a reader lasts for one walk of a document. */
export function createSharedComponents(): SharedComponents {
  const parsed = new Map<string, unknown>();
  const read = (kind: string, name: string): unknown => {
    const path = pathOf(kind, name);
    if (!parsed.has(path)) {
      parsed.set(path, parse(readFileSync(path, "utf8")));
    }
    return parsed.get(path);
  };
  return {
    // The rules hold ErrorCode to this shape.
    registry: () => (read("schemas", "ErrorCode") as { "x-codes": Registry })["x-codes"],
    // The file is a response: it is where the document refers to for one.
    response: (name) => structuredClone(read("responses", name) as Response),
  };
}

/** The whole path, which means the same in every file. */
export function pathOf(kind: string, name: string): string {
  return join(components, kind, "shared", `${name}.yaml`);
}

/** The codes in the examples of a refusal: what it may be refused with. */
export function codesShownBy({ content = {} }: Response): string[] {
  // Each level of an example is read with `?.`, and the code is checked below.
  const examples = Object.values(content).flatMap((media) => Object.values(media.examples ?? {}) as Example[]);
  return examples.flatMap(({ value }) => (typeof value?.error?.code === "string" ? [value.error.code] : []));
}

/**
 * The response for a status with codes of the operation's own. It has an example for each, and all of the shared
 * response for that status, such as the refusals of an idempotency key.
 */
export function describeOwnCodes(registry: Registry, own: readonly string[], shared: Response | null): Response {
  const codes = own.flatMap((code) => (registry[code] ? [[code, registry[code]] as const] : []));
  const headers = ["X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
  const sharedMedia = shared?.content?.["application/json"];
  return {
    description: describe([...codes.map(([, { meaning }]) => meaning), ...(shared ? [shared.description ?? ""] : [])]),
    headers: {
      ...Object.fromEntries(headers.map((name) => [name, { $ref: pathOf("headers", name) }])),
      ...relocate(shared?.headers ?? {}),
    },
    content: {
      "application/json": {
        schema: { $ref: pathOf("schemas", "ErrorEnvelope") },
        examples: { ...Object.fromEntries(codes.map(exampleOf)), ...sharedMedia?.examples },
      },
    },
  };
}

/** The shared files refer to their headers by paths that begin at their own folder. */
function relocate(headers: Record<string, unknown>): Record<string, unknown> {
  // Headers are referred to everywhere: one of our rules requires it.
  const entries = Object.entries(headers as Record<string, { $ref: string }>);
  return Object.fromEntries(
    entries.map(([name, { $ref }]) => [name, { $ref: join(components, "responses/shared", $ref) }]),
  );
}

/** The meanings of several codes, as one sentence. */
function describe(meanings: readonly string[]): string {
  const clauses = meanings.map((meaning) => meaning.split(". ", 1)[0]?.replace(/\.$/, "") ?? "");
  const [first = "", ...others] = clauses;
  return `${[first, ...others.map((clause) => clause.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase()))].join("; or ")}.`;
}

function exampleOf([code, { title, example }]: readonly [string, Code]): [string, object] {
  const name = code.toLowerCase().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const value = { error: { code, message: example }, meta: { requestId: "req_01kk986py3fqz8e8jgnw6mrwcw" } };
  return [name, { summary: title, value }];
}
