import { ConfigurationError } from "@gateway/kernel";
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readAuthConfig } from "../src/config.ts";

const needed = {
  DATABASE_URL: "postgres://u:p@localhost/d",
  ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
};
const addresses = { AUTH_URL: "https://auth.example.com", API_URL: "https://api.example.com" };

describe("the settings of the identity provider", () => {
  const faultsOf = (env: Record<string, string>): readonly string[] => {
    try {
      readAuthConfig(env);
      return [];
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigurationError);
      return (error as ConfigurationError).faults;
    }
  };

  test("the sandbox has addresses of its own", () => {
    expect(readAuthConfig(needed)).toMatchObject({
      authUrl: "http://localhost:8081",
      apiUrl: "http://127.0.0.1:8080",
      port: 8081,
      metricsPort: 9466,
    });
  });

  test("production names all that is missing in one message", () => {
    const faults = faultsOf({ LIVEMODE: "true" });
    for (const name of ["DATABASE_URL", "ENCRYPTION_KEYS", "AUTH_URL", "API_URL"]) {
      expect(faults.filter((fault) => fault.startsWith(`${name} `))).toHaveLength(1);
    }
  });

  test("production refuses http, each address named", () => {
    const faults = faultsOf({
      ...needed,
      LIVEMODE: "true",
      AUTH_URL: "http://auth.example.com",
      API_URL: "http://api.example.com",
    });
    expect(faults).toEqual([
      "AUTH_URL must begin with https:// in production (LIVEMODE=true)",
      "API_URL must begin with https:// in production (LIVEMODE=true)",
    ]);
  });

  test("production starts with what it needs", () => {
    expect(faultsOf({ ...needed, ...addresses, LIVEMODE: "true" })).toEqual([]);
  });

  test.each([
    "https://auth.example.com/",
    "https://auth.example.com/path",
    "https://AUTH.example.com",
    "auth.example.com",
  ])("an issuer is an origin alone, not %s", (url) => {
    expect(faultsOf({ ...needed, AUTH_URL: url })).toHaveLength(1);
  });

  const clientSecret = randomBytes(32).toString("base64");

  test("the console is registered with its address and its secret, and else not", () => {
    const env = { CONSOLE_URL: "https://console.example.com", CONSOLE_CLIENT_SECRET: clientSecret };
    expect(readAuthConfig({ ...needed, ...env }).console).toEqual({
      redirectUri: "https://console.example.com/callback",
      url: "https://console.example.com",
      clientSecret,
    });
    expect(readAuthConfig(needed).console).toBeNull();
  });

  test.each([
    [{ CONSOLE_URL: "https://console.example.com" }, "CONSOLE_CLIENT_SECRET is needed with CONSOLE_URL"],
    [{ CONSOLE_CLIENT_SECRET: clientSecret }, "CONSOLE_URL is needed with CONSOLE_CLIENT_SECRET"],
    [
      {
        CONSOLE_URL: "http://console.example.com",
        CONSOLE_CLIENT_SECRET: clientSecret,
        LIVEMODE: "true",
        ...addresses,
      },
      "CONSOLE_URL must begin with https:// in production (LIVEMODE=true)",
    ],
    ...["short", "a".repeat(60)].map((weak): [Record<string, string>, string] => [
      { CONSOLE_URL: "https://console.example.com", CONSOLE_CLIENT_SECRET: weak },
      "CONSOLE_CLIENT_SECRET is too weak; make one with: openssl rand -base64 32",
    ]),
  ])("a console that is half set up, open to listeners or easy to guess is refused: %j", (env, fault) => {
    expect(faultsOf({ ...needed, ...env })).toEqual([fault]);
  });

  test("both ports cannot be one", () => {
    expect(faultsOf({ ...needed, AUTH_PORT: "9000", AUTH_METRICS_PORT: "9000" })).toHaveLength(1);
  });

  test.each(["AUTH_PORT", "AUTH_METRICS_PORT"])("%s under its former name is refused, and named", (name) => {
    const former = name.replace("AUTH", "IDENTITY");
    expect(faultsOf({ ...needed, [former]: "9000" })).toEqual([
      `${former} is called ${name} now: set that one instead`,
    ]);
    expect(faultsOf({ ...needed, [former]: "" })).toEqual([]);
  });
});
