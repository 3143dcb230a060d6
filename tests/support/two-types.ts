import { openapi, type OpenApiDocument } from "@gateway/contract";

type Schema = { [key: string]: unknown };

/**
 * The document as the second generator reads it. Extensible lists are strings, and a list of fixed length is not a
 * tuple.
 */
export function documentForTypes(): object {
  // `walk` returns an object for an object.
  return walk(openapi()) as object;
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(walk);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const { minItems: _least, maxItems: _most, ...schema } = value as Schema;
  if (schema["x-extensible"] === true) {
    const { enum: _values, allOf: _parts, ...open } = schema;
    return { ...open, type: "string" };
  }
  return Object.fromEntries(Object.entries(schema).map(([key, one]) => [key, walk(one)]));
}

export type Proof = {
  /** A TypeScript module that compiles when the types of both generators are assignable to each other. */
  text: string;
  /** The compared parts, by operation: `createPayment body`. */
  compared: readonly string[];
};

/**
 * Compares the bodies, queries, paths and responses of all operations. `ours` and `theirs` are the files of each
 * generator.
 */
export function writeProof({ ours, theirs }: { ours: string; theirs: string }): Proof {
  const compared: string[] = [];
  const lines = [
    `import type * as Theirs from "${theirs}";`,
    `import type { operations as Ours } from "${ours}";`,
    "type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : { onlyTheirs: B }) : { onlyOurs: A };",
    'type BodyOf<T> = T extends { requestBody?: { content: { "application/json": infer Body } } } ? Body : never;',
  ];
  for (const { id, parts } of operationsOf(openapi())) {
    const data = `Theirs.${id.charAt(0).toUpperCase()}${id.slice(1)}`;
    for (const part of parts) {
      compared.push(`${id} ${part}`);
      lines.push(`export const ${id}_${part}: Same<${oursOf(id, part)}, ${theirsOf(data, part)}> = true;`);
    }
  }
  return { text: `${lines.join("\n")}\n`, compared };
}

function oursOf(id: string, part: string): string {
  const own = `Ours["${id}"]`;
  return part === "body"
    ? `BodyOf<Required<Pick<${own}, "requestBody">>>`
    : /^\d/.test(part)
      ? `${own}["responses"][${part}]["content"]["application/json"]`
      : `NonNullable<${own}["parameters"]["${part}"]>`;
}

function theirsOf(data: string, part: string): string {
  if (/^\d/.test(part)) {
    return `${data}${part.startsWith("2") ? "Responses" : "Errors"}[${part}]`;
  }
  return `NonNullable<${data}Data["${part}"]>`;
}

type Operation = {
  operationId: string;
  requestBody?: object;
  parameters?: Reference[];
  responses: Record<string, Reference>;
};
type Reference = { $ref?: string; in?: string; content?: Record<string, object> };

/** The parts of each operation that have types: `body`, `query`, `path` and the statuses of JSON responses. */
function operationsOf(document: OpenApiDocument): { id: string; parts: string[] }[] {
  const resolve = ({ $ref, ...inline }: Reference): Reference => {
    const [, kind = "", name = ""] = /^#\/components\/(\w+)\/(\w+)$/.exec($ref ?? "") ?? [];
    return $ref === undefined ? inline : ((document.components[kind]?.[name] ?? {}) as Reference);
  };
  return Object.values(document.paths).flatMap(({ parameters = [], ...item }) =>
    // An object with an `operationId` is an operation.
    (Object.values(item) as Operation[])
      .filter(({ operationId }) => operationId !== undefined)
      .map(({ operationId: id, requestBody, parameters: own = [], responses }) => {
        const places = new Set([...(parameters as Reference[]), ...own].map((one) => resolve(one).in));
        const statuses = Object.keys(responses).filter(
          (status) => resolve(responses[status] ?? {}).content?.["application/json"] !== undefined,
        );
        return {
          id,
          parts: [
            ...(requestBody ? ["body"] : []),
            ...["query", "path"].filter((place) => places.has(place)),
            ...statuses,
          ],
        };
      }),
  );
}
