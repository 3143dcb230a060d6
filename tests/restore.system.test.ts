import { createTestFolder, waitFor } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { globSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTestAuthority } from "../apps/dispatcher/test/support/certificates.ts";
import { startReceiver, type TestReceiver } from "../apps/dispatcher/test/support/receiver.ts";
import {
  createPostgresMachine,
  findDebianPostgres,
  type PostgresMachine,
  type PostgresServer,
} from "./support/debian-postgres.ts";
import { readRepositoryFile, repository } from "./support/source-files.ts";
import { createOldAccount } from "./upgrade/callers.ts";
import { startProgram, type Program } from "./upgrade/program.ts";

const programs = findDebianPostgres();

/**
 * The promise of the guide for production: the scripts of deploy/postgres restore a database on which the programs
 * continue. Two wallets were created before the restored moment, and everything after it is the accident. No dispatcher
 * ran, so the delivery of each wallet is still due.
 */
describe.skipIf(programs === null)("after the server is lost", () => {
  let machine: PostgresMachine;
  let receiver: TestReceiver;
  let env: Record<string, string>;
  let key: string;
  let revokedLater: { id: string; secret: string };
  let moment: string;
  /** The place of a follower of the events who has seen the accident. */
  let place: string;

  beforeAll(async () => {
    machine = await createPostgresMachine(
      programs ?? "",
      globSync("deploy/postgres/*.sh", { cwd: repository }).map(at),
    );
    const authority = await createTestAuthority();
    receiver = await startReceiver(await authority.issue());
    const folder = await createTestFolder();
    await writeFile(join(folder, "ca.pem"), authority.certificate);
    env = {
      ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
      WEBHOOK_ALLOWED_HOSTS: "localhost",
      WEBHOOK_EXTRA_CA: join(folder, "ca.pem"),
      DATA_DIR: folder,
    };
    await loseServer(await fillServer());
  }, 180_000);
  afterAll(async () => {
    await receiver?.close();
    await machine?.end();
  });

  async function fillServer(): Promise<PostgresServer> {
    await machine.run("mkdir", ["wal"]);
    const settings = readRepositoryFile("deploy/postgres/archiving.conf");
    const server = await machine.create("lost", settings.replaceAll("/var/backups/gateway", machine.folder));
    const own = { ...env, DATABASE_URL: server.url };
    const gateway = await startProgram({ app: "gateway", folder: repository, env: own });
    ({ key } = await createOldAccount({ folder: repository, env: own }));
    const call = callWith(gateway, () => key);
    await call("POST", "webhooks", { url: receiver.url, events: ["wallet.created"] });
    revokedLater = await call("POST", "api-keys", { name: "Revoked later", permission: "read" });
    await call("POST", "wallets", { name: "In the base backup", currency: "EUR" });
    await machine.run("sh", ["base-backup.sh", "base"], { BACKUP_URL: server.ownerUrl });
    await call("POST", "wallets", { name: "In the archive", currency: "EUR" });
    await machine.run("sh", ["dump.sh", "gateway.dump"], { DATABASE_DIRECT_URL: server.url });
    moment = (await machine.run("psql", ["-Atc", "select clock_timestamp()", server.ownerUrl])).trim();
    await call("DELETE", `api-keys/${revokedLater.id}`);
    await call("POST", "wallets", { name: "The accident", currency: "EUR" });
    place = await readPlace(gateway, key);
    expect(await gateway.stop()).toBe(0);
    return server;
  }

  async function loseServer(server: PostgresServer): Promise<void> {
    const query = (sql: string): Promise<string> => machine.run("psql", ["-Atc", sql, server.ownerUrl]);
    const last = (await query("select pg_walfile_name(pg_switch_wal())")).trim();
    await waitFor(async () => (await machine.run("ls", ["wal"])).includes(last));
    await server.kill();
  }

  test("a base backup and the archive bring back the moment before the accident, and all goes on from there", async () => {
    await machine.run("sh", ["restore-to.sh", "base", join(machine.folder, "wal"), "restored", moment]);
    await goesOn(await machine.start("restored"));
  });

  test("a dump brings back what it holds, into an empty database, and all goes on from there", async () => {
    const server = await machine.create("from-dump");
    await machine.run("sh", ["restore-dump.sh", "gateway.dump"], { DATABASE_DIRECT_URL: server.url });
    await goesOn(server);
  });

  test("with other encryption keys no program starts, and the message says what is missing", async () => {
    const server = await machine.create("other-keys");
    await machine.run("sh", ["restore-dump.sh", "gateway.dump"], { DATABASE_DIRECT_URL: server.url });
    const other = { ...env, ENCRYPTION_KEYS: randomBytes(32).toString("base64"), DATABASE_URL: server.url };
    for (const app of ["gateway", "dispatcher"] as const) {
      await expect(start(app, other)).rejects.toThrow(
        "ENCRYPTION_KEYS does not hold the key that this database was last opened with",
      );
    }
  });

  async function goesOn(server: PostgresServer): Promise<void> {
    receiver.received.length = 0;
    const own = { ...env, DATABASE_URL: server.url };
    const gateway = await start("gateway", own);
    const call = callWith(gateway, () => key);
    const wallets = await call<{ name: string }[]>("GET", "wallets");
    expect(wallets.map(({ name }) => name)).toEqual(["In the archive", "In the base backup"]);
    // The guide warns that the revoked key works again.
    await callWith(gateway, () => revokedLater.secret)("GET", "account");
    await start("dispatcher", own);
    const names = (): string[] =>
      receiver.received.map(
        ({ body }) => (JSON.parse(body) as { data: { object: { name: string } } }).data.object.name,
      );
    await waitFor(() => names().length >= 2);
    await call("POST", "wallets", { name: "After the restore", currency: "EUR" });
    await waitFor(() => names().includes("After the restore"));
    const all = new Set(["In the base backup", "In the archive", "After the restore"]);
    expect(new Set(names())).toEqual(all);
    // A follower of the lost server gets the new events, and those of the last minutes again.
    const followed = await call<{ data: { object: { name: string } } }[]>("GET", `events?after=${place}&limit=100`);
    expect(new Set(followed.map(({ data }) => data.object.name))).toEqual(all);
    expect(gateway.complaints()).toEqual([]);
  }
});

async function readPlace({ url }: Program, key: string): Promise<string> {
  const answer = await fetch(`${url}/api/v1/events?limit=1`, { headers: { "X-API-Key": key } });
  return ((await answer.json()) as { meta: { after: string } }).meta.after;
}

function at(path: string): string {
  return join(repository, path);
}

async function start(app: "gateway" | "dispatcher", env: Record<string, string>): Promise<Program> {
  const program = await startProgram({ app, folder: repository, env });
  onTestFinished(() => program.destroy());
  return program;
}

/** Throws for any response that is not a success. */
function callWith({ url }: Program, key: () => string) {
  return async <Data = { id: string; secret: string }>(method: string, path: string, body?: object): Promise<Data> => {
    const answer = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { "X-API-Key": key(), "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) {
      throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    }
    return (JSON.parse(text) as { data: Data }).data;
  };
}
