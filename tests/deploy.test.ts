import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { authSettings, readAuthConfig } from "../apps/auth/src/config.ts";
import { consoleProgramSettings, readConsoleConfig } from "../apps/console/src/config.ts";
import { dispatcherSettings, readDispatcherConfig } from "../apps/dispatcher/src/config.ts";
import { docsProgramSettings, readDocsConfig } from "../apps/docs/src/config.ts";
import { gatewaySettings, readGatewayConfig } from "../apps/gateway/src/config.ts";
import { readWorkerConfig, workerSettings } from "../apps/worker/src/config.ts";
import { readDeployedUnits } from "./support/deployed-units.ts";
import { readRepositoryFile } from "./support/source-files.ts";

const programs: Record<string, { settings: object; read(env: Record<string, string>): object }> = {
  gateway: { settings: gatewaySettings, read: readGatewayConfig },
  auth: { settings: authSettings, read: readAuthConfig },
  console: { settings: consoleProgramSettings, read: readConsoleConfig },
  dispatcher: { settings: dispatcherSettings, read: readDispatcherConfig },
  worker: { settings: workerSettings, read: readWorkerConfig },
  docs: { settings: docsProgramSettings, read: readDocsConfig },
};

/** The settings in which an operator replaces `change-me`. */
const keys: readonly string[] = ["ENCRYPTION_KEYS", "CONSOLE_SESSION_KEYS", "CONSOLE_CLIENT_SECRET"];

describe.each(readDeployedUnits())("$unit", ({ app, env }) => {
  test("hands its program nothing that it does not read: a secret goes where it is needed", () => {
    expect(Object.keys(env).filter((name) => !(name in (programs[app]?.settings ?? {})))).toEqual([]);
  });

  test("is taken as it stands, once there are keys", () => {
    const made = Object.keys(env).filter((name) => keys.includes(name));
    const taken = programs[app]?.read({
      ...env,
      ...Object.fromEntries(made.map((name) => [name, randomBytes(32).toString("base64")])),
    });
    const docs = { port: 8082, addresses: { consoleUrl: "https://console.sandbox.example.com" } };
    expect(taken).toMatchObject(app === "docs" ? docs : { livemode: true });
  });
});

test("the instance of one service is the gateway's unit with that service alone", () => {
  const [gateway] = readDeployedUnits();
  const file = readRepositoryFile("deploy/systemd/gateway-api@8100.service.d/services.conf");
  const [, name = "", value = ""] = /^Environment=(\w+)=(.+)$/m.exec(file) ?? [];
  const env = { ...gateway?.env, [name]: value, ENCRYPTION_KEYS: randomBytes(32).toString("base64") };
  expect(readGatewayConfig(env)).toMatchObject({ services: ["custody"], livemode: true });
});

test("no program starts with the key that the file holds for its place", () => {
  const [gateway] = readDeployedUnits();
  expect(() => readGatewayConfig(gateway?.env ?? {})).toThrow("ENCRYPTION_KEYS");
});

test("the proxies and the scrapes lead to the ports of the units", () => {
  const ports = (file: string): string[] =>
    Array.from(readRepositoryFile(file).matchAll(/127\.0\.0\.1:(?<port>\d+)/g), ({ groups }) => groups?.["port"] ?? "");
  const served = ["8080", "8090", "8081", "8091", "8082", "8083", "8093"];
  expect(ports("deploy/nginx/gateway.conf")).toEqual(served);
  expect(ports("deploy/caddy/Caddyfile")).toEqual(served);
  const metrics = ["18080", "18090", "18081", "18091", "9465", "9475", "9467", "9477", "18083", "18093"];
  expect(ports("deploy/prometheus/prometheus.yml")).toEqual(metrics);
});
