import { ConfigurationError } from "@gateway/kernel";
import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readGatewayConfig, type GatewayConfig } from "../src/config.ts";

function read(env: Record<string, string>): GatewayConfig {
  return readGatewayConfig({
    DATABASE_URL: "postgres://127.0.0.1:1/none",
    ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
    ...env,
  });
}

/** The settings that the message names, in its order. */
function faultsOf(env: Record<string, string>): (string | undefined)[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) {
      return error.faults.map((fault) => fault.split(" ")[0]);
    }
    throw error;
  }
}

const sandbox = { AUTH_URL: "http://localhost:8081", API_URL: "http://127.0.0.1:8080" };
const live = { LIVEMODE: "true", AUTH_URL: "https://auth.example.com", API_URL: "https://api.example.com" };

describe("the identity provider", () => {
  test("is none without settings", () => {
    expect(read({}).authProvider).toBeNull();
  });

  test("publishes its keys at its own address, or where JWKS_URL says", () => {
    expect(read(sandbox).authProvider).toEqual({
      authUrl: "http://localhost:8081",
      apiUrl: "http://127.0.0.1:8080",
      jwksUrl: "http://localhost:8081/api/v1/jwks",
    });
    const jwksUrl = "https://auth.internal/keys?all=1";
    expect(read({ ...live, JWKS_URL: jwksUrl }).authProvider).toMatchObject({ jwksUrl });
  });

  test.each<[Record<string, string>, string[]]>([
    [{ AUTH_URL: sandbox.AUTH_URL }, ["API_URL"]],
    [{ API_URL: sandbox.API_URL }, ["AUTH_URL"]],
    [{ JWKS_URL: "https://auth.internal/keys" }, ["JWKS_URL"]],
    [{ ...sandbox, LIVEMODE: "true" }, ["AUTH_URL", "API_URL"]],
    [{ ...live, JWKS_URL: "http://auth.internal/keys" }, ["JWKS_URL"]],
    [{ ...live, AUTH_URL: "https://auth.example.com/" }, ["AUTH_URL"]],
    [{ ...live, API_URL: "https://api.example.com/api/v1" }, ["API_URL"]],
    [{ AUTH_URL: "auth", API_URL: "api", JWKS_URL: "jwks" }, ["AUTH_URL", "API_URL", "JWKS_URL"]],
    [{ LIVEMODE: "true", API_URL: "http://api.example.com" }, ["AUTH_URL", "API_URL"]],
  ])("%j is refused, every fault in one message: %j", (env, named) => {
    expect(faultsOf(env)).toEqual(named);
  });

  test("live and whole is taken", () => {
    expect(faultsOf(live)).toEqual([]);
  });
});
