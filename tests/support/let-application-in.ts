import { createHash } from "node:crypto";
import { createBrowser } from "../../apps/auth/test/support/browser.ts";
import { newVerifier } from "../../apps/auth/test/support/oauth-client.ts";
import type { SecretWatch } from "../../apps/auth/test/support/secret-watch.ts";
import { runAdmin, type LocalSystem } from "./local-system.ts";

/** The values that an application has when its user's browser comes back, named as journeys name them. */
export type LetIn = {
  /** The demo account, and its admin key. */
  accountId: string;
  apiKey: string;
  clientId: string;
  redirectUri: string;
  code: string;
  codeVerifier: string;
};

// No program listens on this address, because the browser stops before it.
const redirectUri = "http://127.0.0.1:8765/callback";

/**
 * Registers an application through the API. Signs in as the demo person of the first start and allows the application
 * to read the demo account. The account has no effective rate limit afterwards.
 */
export async function letApplicationIn(
  system: LocalSystem,
  { watch, name }: { watch: SecretWatch; name: string },
): Promise<LetIn> {
  const apiKey = watch.note(/gk_test_\w+/.exec(system.program.stdout())?.[0] ?? "");
  const { id: accountId } = await callApi(system, apiKey, { path: "account" });
  await runAdmin(
    system.env,
    ...["accounts", "change-tier", "--account", accountId, "--tier", "enterprise", "--limit", "1000000"],
  );
  const { id: clientId } = await callApi(system, apiKey, {
    path: "oauth-applications",
    body: { name, redirectUris: [redirectUri], scopes: ["openid", "read"] },
  });
  const codeVerifier = watch.note(newVerifier());
  const code = await allow(system, { watch, query: authorizeQuery(clientId, codeVerifier) });
  return { accountId, apiKey, clientId, redirectUri, code, codeVerifier };
}

async function callApi(
  { api }: LocalSystem,
  key: string,
  { path, body }: { path: string; body?: object },
): Promise<{ id: string }> {
  const response = await fetch(`${api}/api/v1/${path}`, {
    method: body ? "POST" : "GET",
    headers: { "X-API-Key": key, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  }
  // The gateway validates its responses against the document, which has this type.
  return ((await response.json()) as { data: { id: string } }).data;
}

function authorizeQuery(clientId: string, verifier: string): string {
  return new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: "openid read",
    state: "journey",
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256",
  }).toString();
}

/** Allows the application in a new browser. Resolves to the code. */
async function allow(
  { program, env, auth }: LocalSystem,
  { watch, query }: { watch: SecretWatch; query: string },
): Promise<string> {
  const [, email = "", password = ""] = /^ {2}(\S+@\S+) {2}password (\S+)$/m.exec(program.stdout()) ?? [];
  const browser = createBrowser({ origin: auth, ports: () => [Number(env["AUTH_PORT"])], watch });
  const signIn = await browser.open(`${auth}/api/v1/authorize?${query}`);
  const consent = await browser.submit(signIn.forms[0], { email, password: watch.note(password) });
  const form = consent.forms.find(({ buttons }) => buttons.some(({ label }) => label === "Allow"));
  const { url, status } = await browser.submit(form, {}, "Allow");
  const code = new URL(url).searchParams.get("code");
  if (code === null) {
    throw new Error(`Allow led to ${url}, ${status}, and to no code.`);
  }
  return code;
}
