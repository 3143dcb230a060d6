import { describe, expect, test } from "vitest";
import { readLocalConfig } from "../src/config.ts";

const goodKey = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString("base64");

test("nothing set is a sandbox on loopback, with its data beside the repository's files", () => {
  const { values, dataDir, authUrl, apiUrl } = readLocalConfig({});
  expect({ authUrl, apiUrl }).toEqual({ authUrl: "http://localhost:8081", apiUrl: "http://127.0.0.1:8080" });
  expect(values).toMatchObject({
    GATEWAY_PORT: 8080,
    HOST: "127.0.0.1",
    LIVEMODE: false,
    DATABASE_URL: null,
    REDIS_URL: null,
    SMTP_URL: null,
    RECEIVER_PORT: 8443,
    RECEIVER_HOST: "localhost",
    RETRY_TIME_SCALE: 1,
  });
  expect(dataDir).toMatch(/[\\/]\.data$/);
});

describe("refused", () => {
  test.each([
    [
      "a key that anybody could guess",
      { ENCRYPTION_KEYS: Buffer.alloc(32).toString("base64") },
      "ENCRYPTION_KEYS is too weak",
    ],
    ["a short key", { ENCRYPTION_KEYS: "c2hvcnQ=" }, "ENCRYPTION_KEYS must be 32 random bytes"],
    ["a good and a bad key", { ENCRYPTION_KEYS: `${goodKey},c2hvcnQ=` }, "ENCRYPTION_KEYS must be 32 random bytes"],
    ["production without a key", { LIVEMODE: "true" }, "ENCRYPTION_KEYS is needed in production"],
    ["production without mail", { LIVEMODE: "true" }, "SMTP_URL is needed in production"],
    ["production without its addresses", { LIVEMODE: "true" }, "AUTH_URL is needed in production"],
    [
      "production whose tokens travel in the clear",
      { LIVEMODE: "true", API_URL: "http://api.example.com" },
      "API_URL must begin with https://",
    ],
    ["an address with a path", { AUTH_URL: "http://localhost:8081/" }, "AUTH_URL must be an origin alone"],
    ["the API's port for the identity provider", { AUTH_PORT: "8080" }, "AUTH_PORT must differ from GATEWAY_PORT"],
    ["production with quick retries", { LIVEMODE: "true", RETRY_TIME_SCALE: "60" }, "RETRY_TIME_SCALE must be 1"],
    [
      "production with private hosts",
      { LIVEMODE: "true", WEBHOOK_ALLOWED_HOSTS: "a.b" },
      "WEBHOOK_ALLOWED_HOSTS is for the sandbox",
    ],
    [
      "production with an authority",
      { LIVEMODE: "true", WEBHOOK_EXTRA_CA: "ca.pem" },
      "WEBHOOK_EXTRA_CA must not be set",
    ],
    ["a mail server without a sender", { SMTP_URL: "smtp://localhost" }, "MAIL_FROM is needed with SMTP_URL"],
    [
      "half of a certificate",
      { RECEIVER_KEY_FILE: "key.pem" },
      "RECEIVER_CERTIFICATE_FILE and RECEIVER_KEY_FILE belong",
    ],
    ["port 0", { GATEWAY_PORT: "0" }, "GATEWAY_PORT must be a whole number from 1"],
    ["a port in hexadecimal", { GATEWAY_PORT: "0x50" }, "GATEWAY_PORT must be a whole number"],
    ["one port for two", { GATEWAY_PORT: "9464" }, "METRICS_PORT must differ from GATEWAY_PORT"],
    ["the API's port for the receiver", { RECEIVER_PORT: "8080" }, "RECEIVER_PORT must differ from GATEWAY_PORT"],
    ["one port for two of metrics", { DISPATCHER_METRICS_PORT: "9464" }, "DISPATCHER_METRICS_PORT must differ"],
    ["the gateway's port for the worker", { WORKER_METRICS_PORT: "8080" }, "WORKER_METRICS_PORT must differ"],
    ["a module for the outside of the sandbox", { PORTS: "ports.js" }, "PORTS is for production (LIVEMODE=true)"],
    ["services at npm start", { SERVICES: "custody" }, "SERVICES is for npm run gateway alone"],
    [
      "a port of a service that is the API's",
      { SERVICE_PORTS: "custody=8080" },
      "custody in SERVICE_PORTS must differ from GATEWAY_PORT",
    ],
    [
      "one port for two services",
      { SERVICE_PORTS: "ledger=8091" },
      "ledger in SERVICE_PORTS must differ from custody in SERVICE_PORTS",
    ],
    [
      "the port of a service for another program",
      { DOCS_PORT: "8098" },
      "oracle in SERVICE_PORTS must differ from DOCS_PORT",
    ],
    ["a port of no service", { SERVICE_PORTS: "billing=9000" }, '"billing=9000" is not one (services: custody, '],
    ["a service without a port", { SERVICE_PORTS: "custody" }, '"custody" is not one'],
    ["port 0 for a service", { SERVICE_PORTS: "custody=0" }, '"custody=0" is not one'],
    ["port 65536 for a service", { SERVICE_PORTS: "custody=65536" }, '"custody=65536" is not one'],
    ["a service that is there twice", { SERVICE_PORTS: "custody=9001,custody=9002" }, "custody is there twice"],
    ["a truth in other words", { LIVEMODE: "1" }, "LIVEMODE must be true or false"],
    ["another database", { DATABASE_URL: "mysql://h/d" }, "DATABASE_URL must be a URL that begins with postgres://"],
    ["no URL", { REDIS_URL: "localhost:6379" }, "REDIS_URL must be a URL that begins with redis://"],
    [
      "a proxy by its name",
      { TRUSTED_PROXIES: "proxy.example" },
      "TRUSTED_PROXIES must be a comma-separated list of IP addresses",
    ],
  ])("%s", (_name, env, message) => {
    expect(() => readLocalConfig(env)).toThrow(message);
  });
});

test("each service has a direct address, and one that is named another port", () => {
  const { values, serviceUrls } = readLocalConfig({ SERVICE_PORTS: "oracle=65535, market-data=1" });
  expect(values.SERVICE_PORTS).toEqual({
    custody: 8091,
    orchestra: 8092,
    identity: 8093,
    ledger: 8094,
    execution: 8095,
    portfolio: 8096,
    "market-data": 1,
    oracle: 65_535,
  });
  expect(serviceUrls).toMatchObject({ custody: "http://127.0.0.1:8091", oracle: "http://127.0.0.1:65535" });
  expect(readLocalConfig({ API_URL: "https://api.example.com" }).serviceUrls).toEqual({});
});

test("an empty variable is an unset one", () => {
  expect(readLocalConfig({ GATEWAY_PORT: "", DATABASE_URL: "" }).values).toMatchObject({
    GATEWAY_PORT: 8080,
    DATABASE_URL: null,
  });
});

test("production with a key of its own, a mail server and public addresses is accepted", () => {
  const mail = { SMTP_URL: "smtps://mail.example.com", MAIL_FROM: "gateway@example.com" };
  const addresses = { AUTH_URL: "https://auth.example.com", API_URL: "https://api.example.com" };
  const env = { LIVEMODE: "true", ENCRYPTION_KEYS: goodKey, ...mail, ...addresses };
  expect(readLocalConfig(env)).toMatchObject({
    authUrl: "https://auth.example.com",
    apiUrl: "https://api.example.com",
  });
});
