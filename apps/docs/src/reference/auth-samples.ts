import type { Operation } from "./api-document.ts";
import type { CodeSample } from "./code-sample.ts";
import { resolve, type OpenApi, type ResponseObject } from "./open-api.ts";

/** The call of an operation of the identity provider with curl. An address for browsers has none. */
export function createAuthSamples(openapi: OpenApi, operation: Operation): CodeSample[] {
  if (isForBrowsers(openapi, operation)) {
    return [];
  }
  const forms = listForms(openapi, operation);
  const calls = forms.map(({ summary, values }) => `# ${summary}\n${curlOf(operation, values)}`);
  // One sample for all forms: Redocly's page shows one of a language.
  return [{ lang: "sh", label: "curl", source: calls.join("\n\n") || curlOf(operation, null) }];
}

function isForBrowsers(openapi: OpenApi, { responses = {} }: Operation): boolean {
  return Object.values(responses).some(
    (response: ResponseObject) => "text/html" in (resolve(openapi, response).content ?? {}),
  );
}

type Form = { summary: string; values: Readonly<Record<string, string>> };

function listForms(openapi: OpenApi, { requestBody }: Operation): Form[] {
  const content = (requestBody && resolve(openapi, requestBody).content) ?? {};
  return Object.entries(content["application/x-www-form-urlencoded"]?.examples ?? {}).map(([name, reference]) => {
    const { summary = name, value } = resolve(openapi, reference);
    // Examples of a form hold text only.
    return { summary, values: value as Form["values"] };
  });
}

function curlOf({ method, path, security = [] }: Operation, form: Form["values"] | null): string {
  const isPlain = method === "GET" || form !== null;
  return [
    `curl ${isPlain ? "" : `-X ${method} `}"$GATEWAY_AUTH_URL${path}"`,
    ...(security.length === 0 ? [] : [`-H "Authorization: Bearer $ACCESS_TOKEN"`]),
    ...Object.entries(form ?? {}).map(([name, value]) => curlOption(name, value)),
  ].join(" \\\n  ");
}

const variables: Readonly<Record<string, string>> = {
  client_id: "CLIENT_ID",
  redirect_uri: "REDIRECT_URI",
  code: "CODE",
  code_verifier: "CODE_VERIFIER",
  refresh_token: "REFRESH_TOKEN",
  token: "REFRESH_TOKEN",
};

function curlOption(name: string, value: string): string {
  const option = name === "redirect_uri" ? "--data-urlencode" : "-d";
  const variable = variables[name];
  return `${option} ${name}=${variable === undefined ? value : `"$${variable}"`}`;
}
