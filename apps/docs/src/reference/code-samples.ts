import type { ApiDocument, Operation } from "./api-document.ts";
import { createAuthSamples } from "./auth-samples.ts";
import type { CodeSample } from "./code-sample.ts";
import { resolve, type OpenApi, type Parameter } from "./open-api.ts";

/** The sample calls of an operation, generated from the document. Ids and credentials are shell variables. */
export function createCodeSamples({ name, openapi }: ApiDocument, operation: Operation): CodeSample[] {
  return name === "auth" ? createAuthSamples(openapi, operation) : createGatewaySamples(openapi, operation);
}

function createGatewaySamples(openapi: OpenApi, operation: Operation): CodeSample[] {
  const { parameters: shared = [] } = openapi.paths?.[operation.path] ?? {};
  const parameters = [...shared, ...(operation.parameters ?? [])].map((one) => resolve(openapi, one));
  const call: Call = {
    ...operation,
    body: exampleBody(openapi, operation),
    takesKey: parameters.some(({ name }) => name === "Idempotency-Key"),
    places: parameters.filter((one) => one.in === "path"),
    query: parameters.filter((one) => one.in === "query" && one.required),
  };
  return [
    { lang: "sh", label: "curl", source: curlOf(call) },
    { lang: "ts", label: "TypeScript", source: typescriptOf(call) },
  ];
}

type Call = Pick<Operation, "operationId" | "method" | "path" | "x-person"> & {
  body: unknown;
  /** The client sends an Idempotency-Key by itself. */
  takesKey: boolean;
  /** Path parameters: ids of the reader's own, or values that every caller may send, such as a symbol. */
  places: readonly Parameter[];
  query: readonly Parameter[];
};

/** The first example of the body, or undefined when there is no body. */
function exampleBody(openapi: OpenApi, { requestBody }: Operation): unknown {
  const [media] = Object.values((requestBody && resolve(openapi, requestBody).content) ?? {});
  const [example] = Object.values(media?.examples ?? {});
  return example && resolve(openapi, example).value;
}

function curlOf({ operationId, method, path, body, takesKey, places, query, "x-person": person }: Call): string {
  const filled = places.reduce(
    (text, { name, example = "" }) => text.replace(`{${name}}`, isId(name) ? `$${environmentName(name)}` : example),
    path,
  );
  const url = [filled, ...query.map(({ name, example = "" }) => `${name}=${encodeURIComponent(example)}`)]
    .join("&")
    .replace("&", "?");
  const isPlain = method === "GET" || (method === "POST" && body !== undefined);
  const lines = [
    `curl ${isPlain ? "" : `-X ${method} `}"$GATEWAY_URL${url}"`,
    person ? `-H "Authorization: Bearer $ACCESS_TOKEN"` : `-H "X-API-Key: $GATEWAY_API_KEY"`,
    ...(takesKey ? [`-H "Idempotency-Key: ${workName(operationId)}"`] : []),
    ...(body === undefined
      ? []
      : [`-H "Content-Type: application/json"`, `-d '${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}'`]),
  ];
  return lines.join(" \\\n  ");
}

/** A name for one piece of work, such as `create-wallet-1`. */
function workName(operationId: string): string {
  return `${operationId.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-1`;
}

function typescriptOf({ method, path, body, places, query }: Call): string {
  const values = places.map(({ name, example }) =>
    isId(name)
      ? `${name}: ${["process", "env", environmentName(name)].join(".")} ?? ""`
      : `${name}: ${JSON.stringify(example)}`,
  );
  const asked = query.map(({ name, example }) => `${name}: ${JSON.stringify(example)}`);
  const params = [
    ...(values.length === 0 ? [] : [`path: { ${values.join(", ")} }`]),
    ...(asked.length === 0 ? [] : [`query: { ${asked.join(", ")} }`]),
  ];
  const options = [
    ...(params.length === 0 ? [] : [`  params: { ${params.join(", ")} },`]),
    ...(body === undefined ? [] : [`  body: ${literal(body).replaceAll("\n", "\n  ")},`]),
  ];
  const last = options.length === 0 ? "" : `, {\n${options.join("\n")}\n}`;
  return `import { client } from "./client.ts";\n\nconst { data } = await client.${method}("${path}"${last});\nconsole.log(data);`;
}

/** Formats like hand-written code: names that need no quotes have none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}

function isId(name: string): boolean {
  return name.endsWith("Id");
}

/** `walletId` is `WALLET_ID`. */
function environmentName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
