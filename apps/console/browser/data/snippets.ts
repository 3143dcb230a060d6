import type { OperationRow } from "./calls.ts";

export type SnippetCall = {
  readonly operation: Pick<OperationRow, "method" | "path" | "idempotencyKey" | "personRequired">;
  readonly path?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined;
  readonly body?: unknown;
  /** Without it, each run of the code creates its own key. */
  readonly idempotencyKey?: string | undefined;
};

/**
 * The call for a shell, which does not execute any part of its names and values. The credential is a variable, never a
 * value.
 */
export function curlOf({ operation, path, query, body, idempotencyKey }: SnippetCall, apiUrl: string): string {
  const verb = operation.method.toUpperCase();
  const isPlain = verb === "GET" || (verb === "POST" && body !== undefined);
  return [
    `curl ${isPlain ? "" : `-X ${verb} `}${shellQuote(apiUrl + filledPath(operation.path, path ?? {}) + queryText(query ?? {}))}`,
    operation.personRequired ? `-H "Authorization: Bearer $ACCESS_TOKEN"` : `-H "X-API-Key: $GATEWAY_API_KEY"`,
    ...(idempotencyKey !== undefined
      ? [`-H ${shellQuote(`Idempotency-Key: ${idempotencyKey}`)}`]
      : operation.idempotencyKey
        ? [`-H "Idempotency-Key: $(uuidgen)"`]
        : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `--data-raw ${shellQuote(bodyText(body))}`]),
  ].join(" \\\n  ");
}

/** Escapes `!`, which an interactive shell reads as a line of its history. */
function bodyText(body: unknown): string {
  return visibleJson(body, 2).replaceAll("!", "\\u0021");
}

export function typescriptOf({ operation, path, query, body, idempotencyKey }: SnippetCall): string {
  const params = {
    ...(path && Object.keys(path).length > 0 && { path }),
    ...(hasValues(query) && { query: Object.fromEntries(valuesOf(query)) }),
  };
  const init = {
    ...(Object.keys(params).length > 0 && { params }),
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
  };
  const options = Object.keys(init).length > 0 ? `, ${literal(init)}` : "";
  const call = `client.${operation.method.toUpperCase()}(${visibleJson(operation.path)}${options})`;
  return `import { client } from "./client.ts";\n\nconst { data } = await ${call};\nconsole.log(data);`;
}

/** One word for a POSIX shell, whatever the text contains. NUL is removed, because a word cannot hold it. */
export function shellQuote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("\0", "").replaceAll("'", `'\\''`)}'`;
}

function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? `{${name}}`));
}

function queryText(query: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const text = new URLSearchParams(valuesOf(query).map(([name, value]) => [name, String(value)])).toString();
  return text && `?${text}`;
}

function hasValues(query: SnippetCall["query"]): query is NonNullable<SnippetCall["query"]> {
  return query !== undefined && valuesOf(query).length > 0;
}

function valuesOf(query: NonNullable<SnippetCall["query"]>): [string, string | number | boolean][] {
  return Object.entries(query).filter(
    (entry): entry is [string, string | number | boolean] => entry[1] !== undefined && entry[1] !== "",
  );
}

/**
 * JSON as TypeScript: names that do not need quotes lose them. JSON strings have no line breaks, so only names match.
 */
function literal(value: unknown): string {
  return visibleJson(value, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

/** JSON with invisible and direction-changing characters escaped, so that the shown text is the text sent. */
export function visibleJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(
    /[\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
