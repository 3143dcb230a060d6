import { consoleApplication } from "@gateway/platform/accounts";
import { createOauthClient, type OauthClient } from "./oauth-client.ts";
import type { TestAuth } from "./test-auth.ts";

const origin = "http://localhost:8083";

export const consoleEnv = {
  CONSOLE_URL: origin,
  CONSOLE_CLIENT_SECRET: "the console proves itself with this, 3141592653589793",
} as const;

/** The console as the identity provider meets it. */
export function createConsoleClient(auth: TestAuth): OauthClient {
  return createOauthClient(
    auth,
    { ...consoleApplication, redirectUris: [`${origin}/callback`] },
    { secret: auth.watch.note(consoleEnv.CONSOLE_CLIENT_SECRET) },
  );
}
