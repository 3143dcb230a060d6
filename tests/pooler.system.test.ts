import { openDatabase } from "@gateway/database";
import { startDispatcher, type RunningDispatcher } from "@gateway/dispatcher";
import { readDispatcherConfig } from "@gateway/dispatcher/config";
import { startGateway, type RunningGateway } from "@gateway/gateway";
import { readGatewayConfig } from "@gateway/gateway/config";
import { createCipher, createCursorCodec, createLogger, systemClock } from "@gateway/kernel";
import type { ApiKeyWithSecret } from "@gateway/platform/accounts";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { Schema } from "@gateway/platform/compose/schema";
import { createTestDatabase, createTestFolder, patience, readMetric, startPgBouncer, waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { createTestAuthority } from "../apps/dispatcher/test/support/certificates.ts";
import { startReceiver, type TestReceiver } from "../apps/dispatcher/test/support/receiver.ts";
import { startWriteLoad } from "./support/write-load.ts";

/** The reads of each of four readers, while eight clients write. */
const roundsOfReads = 5;
const { url: directUrl } = await createTestDatabase();
const pgbouncer = await startPgBouncer(directUrl);

afterAll(() => pgbouncer?.stop());

describe.skipIf(!pgbouncer)("behind PgBouncer in transaction mode", () => {
  const database = openDatabase<Schema>({ url: directUrl, applicationName: "test" });
  const logLines: string[] = [];
  const gateways: RunningGateway[] = [];
  const dispatchers: RunningDispatcher[] = [];
  let env: Record<string, string>;
  let platform: Platform;
  let accountId: string;
  let key: ApiKeyWithSecret;
  let receiver: TestReceiver;
  let asked = 0;

  beforeAll(async () => {
    const folder = await createTestFolder();
    const authority = await createTestAuthority();
    receiver = await startReceiver(await authority.issue());
    await writeFile(join(folder, "ca.pem"), authority.certificate);
    const encryptionKey = randomBytes(32);
    env = {
      DATABASE_URL: pgbouncer?.url ?? "",
      ENCRYPTION_KEYS: encryptionKey.toString("base64"),
      WEBHOOK_ALLOWED_HOSTS: "localhost,127.0.0.1",
      WEBHOOK_EXTRA_CA: join(folder, "ca.pem"),
      DATA_DIR: folder,
      TRUSTED_PROXIES: "127.0.0.1",
    };
    const cipher = createCipher([encryptionKey]);
    const cursors = createCursorCodec(cipher.deriveKey("cursors"));
    platform = createPlatform(database, { clock: systemClock, cipher, cursors, livemode: false });
    const account = await platform.accounts.create({
      email: "pooled@example.com",
      tier: "enterprise",
      requestsPerMinute: 1_000_000,
    });
    accountId = account?.id ?? "";
    key = await createKey();
  });
  afterEach(async () => {
    await Promise.all([...gateways.splice(0), ...dispatchers.splice(0)].map((program) => program.stop()));
    logLines.length = 0;
  });
  afterAll(async () => {
    await receiver.close();
    await database.close();
  });

  const createKey = (): Promise<ApiKeyWithSecret> =>
    platform.accounts.apiKeys.create({ accountId, name: "Test", permission: "admin", expiresAt: null });
  const logger = createLogger({ name: "test", level: "warn", destination: collect(logLines) });
  const startGateways = async (more: Record<string, string> = {}): Promise<void> => {
    const config = readGatewayConfig({ ...env, ...more });
    for (let count = 0; count < 2; count += 1) {
      gateways.push(await startGateway({ ...config, port: 0, metricsPort: 0 }, { logger, databaseLimits: patience }));
    }
  };
  const startDispatchers = async (more: Record<string, string> = {}): Promise<void> => {
    const config = readDispatcherConfig({ ...env, ...more });
    for (let count = 0; count < 2; count += 1) {
      dispatchers.push(await startDispatcher({ ...config, metricsPort: 0 }, { logger, databaseLimits: patience }));
    }
  };
  const urlOf = ({ port }: RunningGateway): string => `http://127.0.0.1:${port}`;
  const ask = async (gateway: RunningGateway, path: string, secret = key.secret): Promise<number> => {
    // Each request has an address of its own, because refusals are limited by address.
    const headers = { "X-API-Key": secret, "X-Forwarded-For": `2001:db8:0:${(asked++).toString(16)}::1` };
    const response = await fetch(`${urlOf(gateway)}/api/v1/${path}`, { headers });
    await response.arrayBuffer();
    return response.status;
  };
  const areListening = async (): Promise<number[]> =>
    Promise.all(
      gateways.map(
        async ({ metricsPort }) => (await readMetric(metricsPort, "gateway_credential_listener_up")).get("") ?? -1,
      ),
    );

  test(`two gateways and two dispatchers work at once: each request is answered, each event arrives`, async () => {
    await startGateways({ DATABASE_DIRECT_URL: directUrl });
    await startDispatchers({ DATABASE_DIRECT_URL: directUrl });
    const [first] = gateways as [RunningGateway, RunningGateway];
    const created = await fetch(`${urlOf(first)}/api/v1/webhooks`, {
      method: "POST",
      headers: { "X-API-Key": key.secret, "Content-Type": "application/json" },
      body: JSON.stringify({ url: receiver.url, events: ["wallet.created"] }),
    });
    expect(created.status).toBe(201);

    const statuses: number[] = [];
    const loads = gateways.map((gateway) => startWriteLoad(urlOf(gateway), key.secret, { clients: 4 }));
    const read = async (gateway: RunningGateway): Promise<void> => {
      for (let round = 0; round < roundsOfReads; round += 1) {
        for (const path of ["wallets", "deliveries?limit=5", "events?limit=5", "account"]) {
          statuses.push(await ask(gateway, path));
        }
      }
    };
    await Promise.all([...gateways, ...gateways].map(read));
    // A write without a 201 fails here.
    await Promise.all(loads.map((load) => load.stop()));
    expect(new Set(statuses)).toEqual(new Set([200]));
    const written = loads.reduce((sum, load) => sum + load.acknowledgedCount(), 0);
    await waitFor(() => new Set(receiver.received.map(({ id }) => id)).size === written);
    await waitFor(async () => (await areListening()).every((up) => up === 1));
    // On a busy machine a line may report that no notification arrived for a moment.
    expect(logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
    expect(written).toBeGreaterThan(roundsOfReads);
  });

  test("with DATABASE_DIRECT_URL a revoked key is refused everywhere soon", async () => {
    await startGateways({ DATABASE_DIRECT_URL: directUrl });
    await waitFor(async () => (await areListening()).every((up) => up === 1));
    for (let round = 0; round < 5; round += 1) {
      const doomed = await createKey();
      expect(await Promise.all(gateways.map((gateway) => ask(gateway, "wallets", doomed.secret)))).toEqual([200, 200]);
      await platform.accounts.apiKeys.revoke({ id: doomed.id, accountId });
      const refused = async (): Promise<boolean> =>
        (await Promise.all(gateways.map((gateway) => ask(gateway, "wallets", doomed.secret)))).every(
          (it) => it === 401,
        );
      await waitFor(refused);
    }
  });

  test("without it nothing cached is trusted: a revoked key is refused at once, and the gauge and one line say so", async () => {
    await startGateways();
    const seen: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const doomed = await createKey();
      expect(await Promise.all(gateways.map((gateway) => ask(gateway, "wallets", doomed.secret)))).toEqual([200, 200]);
      await platform.accounts.apiKeys.revoke({ id: doomed.id, accountId });
      expect(await Promise.all(gateways.map((gateway) => ask(gateway, "wallets", doomed.secret)))).toEqual([401, 401]);
      seen.push(...(await areListening()));
    }
    expect(new Set(seen)).toEqual(new Set([0]));
    const told = (): string[] => logLines.filter((line) => line.includes("DATABASE_DIRECT_URL"));
    await waitFor(() => told().length === 2);
    const line = expect.stringContaining("changes of credentials are not received; every request asks the database");
    expect(told()).toEqual([line, line]);
  });

  test("a DATABASE_DIRECT_URL that leads to the pooler, or to another database, stops the start with a sentence", async () => {
    for (const DATABASE_DIRECT_URL of [pgbouncer?.url ?? "", (await createTestDatabase()).url]) {
      await expect(startGateways({ DATABASE_DIRECT_URL })).rejects.toThrow(
        "Notifications do not reach us: DATABASE_DIRECT_URL must lead to Postgres itself",
      );
    }
  });
});

function collect(lines: string[]): Writable {
  return new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(chunk.toString());
      done();
    },
  });
}
