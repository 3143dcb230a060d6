import type { Account } from "@gateway/platform/accounts";
import { findFreePort, startProcess, waitFor } from "@gateway/testkit";
import { createOauthClient, answerQuestions, type OauthClient } from "../../apps/auth/test/support/oauth-client.ts";
import type { Person, TestAuth } from "../../apps/auth/test/support/test-auth.ts";

/** A reader of the guide on OAuth: an owner of the account, and the application that they registered. */
export type OauthReader = {
  person: Person;
  client: OauthClient;
  env: Record<string, string>;
};

const authorizeUrlPattern = /http\S+\/api\/v1\/authorize\?\S+/;

export async function createOauthReader(auth: TestAuth, account: Account): Promise<OauthReader> {
  const redirectUri = `http://127.0.0.1:${await findFreePort()}/callback`;
  const person = await auth.createPerson({ account });
  const application = await auth.createApplication(account, { redirectUris: [redirectUri] });
  return {
    person,
    client: createOauthClient(auth, application),
    env: { GATEWAY_AUTH_URL: auth.origin, CLIENT_ID: application.id, REDIRECT_URI: redirectUri },
  };
}

/**
 * The result of an earlier step that the snippet uses: a code that has not been exchanged, or tokens. Each comes from a
 * sign-in of its own.
 */
export async function signInFor(
  code: string,
  { auth, reader: { client, person } }: { auth: TestAuth; reader: OauthReader },
): Promise<Record<string, string>> {
  const env: Record<string, string> = {};
  if (/\$(?:ACCESS|REFRESH)_TOKEN\b/.test(code)) {
    const tokens = await client.connect(person, { browser: await auth.openBrowser() });
    Object.assign(env, { ACCESS_TOKEN: tokens.access_token, REFRESH_TOKEN: tokens.refresh_token });
  }
  if (/\$CODE\b/.test(code)) {
    const authorization = await client.authorize(person, { browser: await auth.openBrowser() });
    Object.assign(env, { CODE: authorization.code, CODE_VERIFIER: authorization.verifier });
  }
  return env;
}

/**
 * Opens the address that the snippet prints, signs in and consents. Resolves to the address to which the person is
 * redirected.
 */
export async function followSignIn(
  printed: string,
  { auth, reader: { person } }: { auth: TestAuth; reader: OauthReader },
): Promise<URL> {
  const [url = ""] = authorizeUrlPattern.exec(printed) ?? [];
  const browser = await auth.openBrowser();
  const last = await answerQuestions(browser, await browser.open(url), { person });
  if (!last.isElsewhere) {
    throw new Error(`Not sent back: ${last.status} ${last.url} ${last.html}`);
  }
  return new URL(last.url);
}

export type CallbackAnswers = { stranger: number; status: number; text: string };

/** Runs a program that prints where to go and listens for the redirect. A forged redirect is tried first. */
export async function runSignIn(
  script: string,
  { cwd, env, follow }: { cwd: string; env: Record<string, string>; follow: (printed: string) => Promise<URL> },
): Promise<CallbackAnswers> {
  const program = startProcess(process.execPath, [script], { cwd, env });
  try {
    const [printed] = await program.printed(authorizeUrlPattern);
    const redirect = await follow(printed);
    const forged = new URL(redirect);
    forged.searchParams.set("state", "forged");
    // The program prints the address before it listens.
    const stranger = await waitFor(() => fetch(forged));
    await stranger.arrayBuffer();
    const answer = await fetch(redirect);
    return { stranger: stranger.status, status: answer.status, text: await answer.text() };
  } finally {
    await program.destroy();
  }
}
