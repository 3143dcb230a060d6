import { createLogger } from "@gateway/kernel";
import { findFreePort, startOwnPostgres, waitFor, type OwnPostgres } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readAuthConfig } from "../src/config.ts";
import { startAuth, type RunningAuth } from "../src/start-auth.ts";
import { createSecretWatch } from "./support/secret-watch.ts";

describe("without its database", () => {
  const watch = createSecretWatch();
  let postgres: OwnPostgres;
  let auth: RunningAuth;
  let base: string;

  beforeAll(async () => {
    postgres = await startOwnPostgres();
    const port = await findFreePort();
    const config = readAuthConfig({
      DATABASE_URL: postgres.url,
      ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
      AUTH_URL: `http://localhost:${port}`,
    });
    const logger = createLogger({ name: "test", level: "trace", destination: watch.destination });
    auth = await startAuth({ ...config, port, metricsPort: 0 }, { logger });
    base = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    await auth.stop(2000);
    await postgres.end();
  });

  const code = watch.note(randomBytes(32).toString("base64url"));
  const exchange = (accept = "application/json"): Promise<Response> =>
    fetch(`${base}/api/v1/token`, {
      method: "POST",
      headers: { Accept: accept },
      body: new URLSearchParams({
        grant_type: "authorization_code",
        client_id: "app_01kern7ck2exsrtpkeg8qrsn0h",
        redirect_uri: "https://app.example.com/callback",
        code,
        code_verifier: watch.note(randomBytes(32).toString("base64url")),
      }),
    });
  const expectTemporary = async (answer: Promise<Response>): Promise<void> => {
    const response = await answer;
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("1");
    expect(await response.text()).not.toMatch(/ECONN|postgres|at \w+ \(|\.ts:|stack/i);
  };

  test("the protocol answers 503 temporarily_unavailable, pages say so, and all comes back by itself", async () => {
    expect((await exchange()).status).toBe(401);
    await postgres.stop();
    const response = await exchange();
    expect(await response.clone().json()).toEqual({
      error: "temporarily_unavailable",
      error_description: expect.any(String),
    });
    await expectTemporary(Promise.resolve(response));
    await expectTemporary(
      fetch(`${base}/api/v1/authorize?client_id=app_01kern7ck2exsrtpkeg8qrsn0h`, {
        headers: { Accept: "text/html", Cookie: `provider=${"x".repeat(43)}` },
        redirect: "manual",
      }),
    );
    await expectTemporary(fetch(`${base}/sign-in`, { headers: { Cookie: `session=${"x".repeat(43)}` } }));
    await expectTemporary(fetch(`${base}/api/v1/userinfo`, { headers: { Origin: "https://app.example.com" } }));
    expect((await fetch(`http://127.0.0.1:${auth.metricsPort}/readyz`)).status).toBe(503);
    // Responses that do not need a database continue, so programs that check tokens find the keys.
    expect((await fetch(`${base}/api/v1/jwks`)).status).toBe(200);
    expect((await fetch(`${base}/.well-known/openid-configuration`)).status).toBe(200);

    await postgres.start();
    await waitFor(async () => (await exchange()).status === 401);
    await waitFor(async () => (await fetch(`http://127.0.0.1:${auth.metricsPort}/readyz`)).status === 200);
    expect(watch.findLeaks()).toEqual([]);
  });
});
