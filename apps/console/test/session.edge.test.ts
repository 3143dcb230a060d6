import { createCipher } from "@gateway/kernel";
import { createTestClock } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { readConsoleConfig } from "../src/config.ts";
import { createConsoleCookies } from "../src/session/console-cookies.ts";
import { returnToOf } from "../src/session/return-to.ts";
import { createSignInStates, signInSeconds } from "../src/session/sign-in-state.ts";

const origin = "https://console.example.com";

describe("where a sign-in leads to", () => {
  test.each([
    ["/webhooks?status=failed#row", "/webhooks?status=failed#row"],
    ["/a/../b", "/b"],
    ["/", "/"],
    [null, "/"],
    ["", "/"],
    ["webhooks", "/"],
    ["//evil.example/x", "/"],
    ["/\\evil.example", "/"],
    ["/a/..//evil.example", "/"],
    ["https://evil.example/", "/"],
    ["javascript:alert(1)", "/"],
    ["/a\nb", "/"],
    ["/a b", "/"],
    ["/\u00e9", "/"],
    ["/sign-in?return_to=/x", "/"],
    ["/x/../callback?code=1", "/"],
    ["/api/v1/account", "/"],
    [`/${"x".repeat(1_500)}`, "/"],
  ])("%j: %j", (wanted, expected) => {
    expect(returnToOf(wanted, origin)).toBe(expected);
  });
});

describe("the state of a sign-in", () => {
  const clock = createTestClock(Date.UTC(2026, 5, 1));
  const states = createSignInStates({ cipher: createCipher([randomBytes(32)]), clock });
  const state = { state: "s", nonce: "n", codeVerifier: "v", returnTo: "/", previous: null };

  test("is opened for ten minutes, and not a moment longer", () => {
    const sealed = states.seal(state);
    clock.advance(signInSeconds * 1000 - 1);
    expect(states.open(sealed)).toEqual(state);
    clock.advance(1);
    expect(states.open(sealed)).toBeNull();
  });

  test("was sealed here, or is none", () => {
    const other = createSignInStates({ cipher: createCipher([randomBytes(32)]), clock });
    const sealed = states.seal(state);
    expect(["", "x", other.seal(state), `${sealed.slice(0, -2)}AA`].map((text) => states.open(text))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe("cookies", () => {
  const write = (isSecure: boolean): unknown => {
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    const cookies = createConsoleCookies({ isSecure });
    cookies.set(res, "session", "s", { maxAgeSeconds: 60 });
    cookies.clear(res, "signIn");
    return res.getHeader("Set-Cookie");
  };

  test("over https are of this host alone", () => {
    expect(write(true)).toEqual([
      "__Host-console=s; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure",
      "__Host-console-sign-in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
    ]);
  });

  test("over http, in development, have no prefix, which browsers would refuse", () => {
    expect(write(false)).toEqual([
      "console=s; Max-Age=60; Path=/; HttpOnly; SameSite=Strict",
      "console-sign-in=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    ]);
  });
});

describe("the configuration", () => {
  const good = {
    CONSOLE_DATABASE_URL: "postgres://gateway_console@localhost/gateway",
    CONSOLE_SESSION_KEYS: Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64"),
    CONSOLE_URL: origin,
    CONSOLE_CLIENT_SECRET: "the console proves itself with this, 3141592653589793",
    AUTH_URL: "https://auth.example.com",
    API_URL: "https://api.example.com",
  };

  test("calls the API and the identity provider past the proxies where it is told so", () => {
    expect(readConsoleConfig(good)).toMatchObject({
      upstreams: { auth: "https://auth.example.com", api: "https://api.example.com" },
    });
    const own = { CONSOLE_API_URL: "http://127.0.0.1:8080", CONSOLE_AUTH_URL: "http://127.0.0.1:8081" };
    expect(readConsoleConfig({ ...good, ...own, LIVEMODE: "true" })).toMatchObject({
      upstreams: { auth: "http://127.0.0.1:8081", api: "http://127.0.0.1:8080" },
      addresses: { api: "https://api.example.com" },
    });
  });

  test.each([
    ["nothing", { CONSOLE_URL: "" }, "CONSOLE_URL is needed"],
    ["a weak key", { CONSOLE_SESSION_KEYS: Buffer.alloc(32).toString("base64") }, "CONSOLE_SESSION_KEYS is too weak"],
    ["a short secret", { CONSOLE_CLIENT_SECRET: "secret" }, "CONSOLE_CLIENT_SECRET is too weak"],
    [
      "production over http",
      { LIVEMODE: "true", CONSOLE_URL: "http://a.example" },
      "CONSOLE_URL must begin with https",
    ],
    ["one port for two", { CONSOLE_METRICS_PORT: "8083" }, "CONSOLE_METRICS_PORT must differ from CONSOLE_PORT"],
    [
      "the gateway's keys",
      { ENCRYPTION_KEYS: good.CONSOLE_SESSION_KEYS },
      "ENCRYPTION_KEYS must not be given to the console",
    ],
  ])("refuses %s", (_name, env, message) => {
    expect(() => readConsoleConfig({ ...good, ...env })).toThrow(message);
  });
});
