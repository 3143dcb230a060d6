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
  const state = "abcdefghijklmnop-the rest";

  /** The cookies left in a browser that begins `count` sign-ins, with `characters` characters each; the newest last. */
  const begin = (count: number, characters: number): { kept: string[]; read(state: string): string | null } => {
    const { signIns } = createConsoleCookies({ isSecure: true });
    const held = new Map([["other", "x"]]);
    const request = (): IncomingMessage => {
      const req = new IncomingMessage(new Socket());
      req.headers.cookie = [...held].map((pair) => pair.join("=")).join("; ");
      return req;
    };
    const stateOf = (index: number): string => `${index}`.padStart(16, "s") + "-random";
    for (let index = 0; index < count; index += 1) {
      const res = new ServerResponse(request());
      const value = `${index}`.padEnd(characters, "=");
      signIns.add(request(), res, { state: stateOf(index), value, maxAgeSeconds: 60 });
      for (const cookie of [res.getHeader("Set-Cookie") ?? []].flat()) {
        const [, name = "", content = "", rest = ""] = /^([^=]+)=([^;]*)(.*)$/.exec(String(cookie)) ?? [];
        held.delete(name);
        if (!rest.includes("Max-Age=0")) {
          held.set(name, content);
        }
      }
    }
    const kept = [...held.values()].slice(1).map((value) => value.replaceAll("=", ""));
    return { kept, read: (index) => signIns.read(request(), stateOf(Number(index))) };
  };

  test("tabs do not disturb one another: each sign-in has its own", () => {
    const { read } = begin(2, 300);
    expect([read("0"), read("1"), read("2")].map((value) => value?.replaceAll("=", "") ?? null)).toEqual([
      "0",
      "1",
      null,
    ]);
  });

  test("of more sign-ins than a browser may have, and of more text, the oldest go", () => {
    expect(begin(12, 300).kept).toEqual(["4", "5", "6", "7", "8", "9", "10", "11"]);
    expect(begin(12, 2_500).kept).toEqual(["10", "11"]);
    expect(begin(2, 9_000).kept).toEqual(["1"]);
  });

  const write = (isSecure: boolean): unknown => {
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    const cookies = createConsoleCookies({ isSecure });
    cookies.session.set(res, "s", { maxAgeSeconds: 60 });
    cookies.signIns.clear(res, state);
    return res.getHeader("Set-Cookie");
  };

  test("over https are of this host alone", () => {
    expect(write(true)).toEqual([
      "__Host-console=s; Max-Age=60; Path=/; HttpOnly; SameSite=Strict; Secure",
      "__Host-console-sign-in-abcdefghijklmnop=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure",
    ]);
  });

  test("over http, in development, have no prefix, which browsers would refuse", () => {
    expect(write(false)).toEqual([
      "console=s; Max-Age=60; Path=/; HttpOnly; SameSite=Strict",
      "console-sign-in-abcdefghijklmnop=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
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
