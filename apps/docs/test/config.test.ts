import { expect, test } from "vitest";
import { readDocsConfig } from "../src/config.ts";

test("the documentation is on port 8082 of this machine, unless told otherwise", () => {
  expect(readDocsConfig({})).toEqual({ port: 8082, host: "127.0.0.1", addresses: null });
  expect(readDocsConfig({ DOCS_PORT: "9000", HOST: "0.0.0.0" })).toEqual({
    port: 9000,
    host: "0.0.0.0",
    addresses: null,
  });
});

test("a port that is none is refused with its name", () => {
  expect(() => readDocsConfig({ DOCS_PORT: "0" })).toThrow(/DOCS_PORT must be a whole number from 1 to 65535/);
});

test("samples name the addresses of the settings, when both are known", () => {
  const env = { API_URL: "https://api.example.com", AUTH_URL: "https://auth.example.com" };
  const addresses = { gatewayUrl: env.API_URL, authUrl: env.AUTH_URL };
  expect(readDocsConfig(env)).toMatchObject({ addresses: { ...addresses, consoleUrl: null } });
  const consoleUrl = "https://console.example.com";
  expect(readDocsConfig({ ...env, CONSOLE_URL: consoleUrl })).toMatchObject({
    addresses: { ...addresses, consoleUrl },
  });
  expect(readDocsConfig({ API_URL: env.API_URL })).toMatchObject({ addresses: null });
});
