import { services } from "@gateway/contract";
import { startEmbeddedPostgres } from "@gateway/database";
import {
  chooseLocalPorts,
  createTestDatabase,
  createTestFolder,
  runStatement,
  startOwnPostgres,
  startScript,
  type OwnPostgres,
} from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";

const programs = ["gateway", "auth", "dispatcher", "worker"];
const program = "gateway";
const ENCRYPTION_KEYS = randomBytes(32).toString("base64");

/** Every program has ports of its own, so none is in the way of another. */
async function failedStart(program: string, env: Record<string, string>): Promise<string> {
  const started = startScript(`apps/${program}/src/main.ts`, [], {
    env: { ...(await chooseLocalPorts(services)), ENCRYPTION_KEYS, ...env },
  });
  expect(await started.exited).toBe(1);
  return started.stderr();
}

/** One line, and no stack. */
function sentence(text: string): string {
  return `${text}\n`;
}

function changed(url: string, change: (it: URL) => void): string {
  const it = new URL(url);
  change(it);
  return it.href;
}

describe("a program says in a sentence", () => {
  test.each(programs)("that the password is wrong: %s", async (each) => {
    const { url } = await createTestDatabase();
    const DATABASE_URL = changed(url, (it) => (it.password = "wrong"));
    expect(await failedStart(each, { DATABASE_URL })).toBe(
      sentence(
        'The database refuses the user or the password of DATABASE_URL (password authentication failed for user "postgres").',
      ),
    );
  });

  test("that the password of the console's own role is wrong", async () => {
    const { url } = await createTestDatabase();
    const message = await failedStart("console", {
      ENCRYPTION_KEYS: "",
      CONSOLE_DATABASE_URL: changed(url, (it) => (it.password = "wrong")),
      CONSOLE_SESSION_KEYS: ENCRYPTION_KEYS,
      CONSOLE_CLIENT_SECRET: ENCRYPTION_KEYS,
      CONSOLE_URL: "http://127.0.0.1:8083",
      AUTH_URL: "http://localhost:8081",
      API_URL: "http://127.0.0.1:8080",
    });
    expect(message).toMatch(/^The database refuses the user or the password of CONSOLE_DATABASE_URL \(.*\)\.\n$/);
  });

  test("that there is no password", async () => {
    const { url } = await createTestDatabase();
    const DATABASE_URL = changed(url, (it) => (it.password = ""));
    expect(await failedStart(program, { DATABASE_URL })).toMatch(
      /^The database refuses the user or the password of DATABASE_URL \(SASL: .*\)\.\n$/,
    );
  });

  test("that the server speaks no TLS", async () => {
    const { url } = await createTestDatabase();
    const DATABASE_URL = changed(url, (it) => it.searchParams.set("sslmode", "verify-full"));
    expect(await failedStart(program, { DATABASE_URL })).toMatch(
      /^The database of DATABASE_URL cannot be reached over TLS \(The server does not support SSL connections\)\. Check its sslmode\.\n$/,
    );
  });

  test("that there is no such database", async () => {
    const { url } = await createTestDatabase();
    const DATABASE_URL = changed(url, (it) => (it.pathname = "/none"));
    expect(await failedStart(program, { DATABASE_URL })).toBe(
      sentence(
        'The database of DATABASE_URL does not exist (database "none" does not exist). Create it, or name another.',
      ),
    );
  });

  test("that it may make no tables", async () => {
    const { url } = await createTestDatabase({ migrated: false });
    const role = `role_${randomBytes(4).toString("hex")}`;
    await runStatement(url, `create role ${role} login password 'secret'`);
    const DATABASE_URL = changed(url, (it) => {
      it.username = role;
      it.password = "secret";
    });
    expect(await failedStart(program, { DATABASE_URL })).toBe(
      sentence(
        "The user of DATABASE_URL may not do this in the database (permission denied for schema public). " +
          'It needs to own its tables, and "grant create on schema public" to make them.',
      ),
    );
  });

  test.each([
    ["gateway", "192.0.2.1"],
    ["dispatcher", "192.0.2.1"],
    ["auth", "no-such-host.invalid"],
  ])("that its address is not of this machine: %s on %s", async (each, HOST) => {
    const { url: DATABASE_URL } = await createTestDatabase();
    expect(await failedStart(each, { DATABASE_URL, HOST })).toBe(
      sentence(`${HOST} is not an address of this machine: set HOST to one that is, such as 127.0.0.1 or 0.0.0.0.`),
    );
  });

  test("that other programs have sealed with other keys", async () => {
    const { url: DATABASE_URL } = await createTestDatabase();
    await failedStart("gateway", { DATABASE_URL, HOST: "192.0.2.1" });
    const other = randomBytes(32).toString("base64");
    expect(await failedStart("dispatcher", { DATABASE_URL, ENCRYPTION_KEYS: other })).toMatch(
      /^The configuration has a fault:\n {2}- ENCRYPTION_KEYS does not hold the key .*\n$/,
    );
  });
});

describe.each(["gateway", "worker"])("%s says in a sentence what is wrong with PORTS", (each) => {
  test.each([
    ["it is not there", null, /^PORTS names .*\/ports\.mjs, which does not exist$/],
    ["it is no JavaScript", "export {", /^PORTS names .*\/ports\.mjs, which cannot be loaded \(.+\)$/],
    ["it lacks createPorts", "export const ports = {};", /^PORTS names .*, which must export a function createPorts$/],
    [
      "its createPorts throws",
      "export function createPorts() { throw new Error('no RAIL_URL'); }",
      /^createPorts of PORTS, .*\/ports\.mjs, failed \(no RAIL_URL\)$/,
    ],
    [
      "its createPorts answers nothing",
      "export async function createPorts() {}",
      /^createPorts of PORTS, .*, must return an object with chain, rail, kycEngine, priceSources and venue$/,
    ],
  ])("%s", async (_name, source, fault) => {
    const { url: DATABASE_URL } = await createTestDatabase();
    const PORTS = join(await createTestFolder(), "ports.mjs");
    if (source !== null) {
      await writeFile(PORTS, source);
    }
    const [title, named, ...rest] = (await failedStart(each, { DATABASE_URL, PORTS, LIVEMODE: "true" })).split("\n");
    expect([title, rest]).toEqual(["The configuration has a fault:", [""]]);
    expect(named?.replace(/^ {2}- /, "")).toMatch(fault);
  });

  test("it is for production", async () => {
    const { url: DATABASE_URL } = await createTestDatabase();
    expect(await failedStart(each, { DATABASE_URL, PORTS: "ports.mjs" })).toBe(
      "The configuration has a fault:\n  - PORTS is for production (LIVEMODE=true); the sandbox simulates external systems\n",
    );
  });
});

describe("a server that is not ready", () => {
  let postgres: OwnPostgres | null = null;
  let server: Server | null = null;

  afterEach(async () => {
    await postgres?.end();
    postgres = null;
    await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
    server = null;
  });

  test("a standby takes no writes", async () => {
    postgres = await startOwnPostgres();
    await postgres.stop();
    await writeFile(join(postgres.dataDir, "postgres/standby.signal"), "");
    await postgres.start();
    expect(await failedStart(program, { DATABASE_URL: postgres.url })).toBe(
      sentence(
        "The database of DATABASE_URL takes no writes (cannot execute INSERT in a read-only transaction). " +
          "It is a standby, or still recovers: name the primary.",
      ),
    );
  });

  test("one that recovers is waited for, and the log says so", async () => {
    const { url } = await createTestDatabase();
    const { port } = new URL(url);
    let refusals = 0;
    server = createServer((socket) => {
      refusals += 1;
      if (refusals <= 3) {
        socket.once("data", () => socket.end(refusal("57P03", recovering)));
      } else {
        const postgres = connect(Number(port), "127.0.0.1");
        socket.on("error", () => postgres.destroy()).pipe(postgres);
        postgres.on("error", () => socket.destroy()).pipe(socket);
      }
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const way = server.address() as AddressInfo;
    const started = startScript("apps/gateway/src/main.ts", [], {
      env: {
        ...(await chooseLocalPorts(services)),
        ENCRYPTION_KEYS,
        DATABASE_URL: changed(url, (it) => (it.port = String(way.port))),
      },
    });
    await started.printed(/gateway listens/);
    const waits = started
      .stdout()
      .split("\n")
      .filter((line) => line.includes("the start waits for the database"));
    expect(waits).toEqual([expect.stringContaining(`"reason":"${recovering}"`)]);
    started.signal("SIGTERM");
    expect(await started.exited).toBe(0);
  });
});

const recovering = "the database system is in recovery mode";

/** ErrorResponse of the Postgres protocol. */
function refusal(state: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe("npm start says in a sentence", () => {
  test.skipIf(process.platform !== "linux")("that its data folder cannot be written", async () => {
    expect(await failedStart("local", { DATA_DIR: "/sys/kernel" })).toMatch(
      /^The data folder \/sys\/kernel cannot be written \(E\w+: .*\)\. Make room, .* or set DATA_DIR to another folder\.\n$/,
    );
  });

  test("that its data folder is of another major version", async () => {
    const dataDir = await createTestFolder();
    await (await startEmbeddedPostgres({ dataDir })).stop();
    await writeFile(join(dataDir, "postgres/PG_VERSION"), "16\n");
    expect(await failedStart("local", { DATA_DIR: dataDir })).toBe(
      sentence(
        `The data folder ${dataDir} was made by Postgres 16, and the embedded one is 18. Move the data with pg_dump, ` +
          "or set DATA_DIR to another folder, or DATABASE_URL to a server of Postgres 16.",
      ),
    );
  });

  test("that somebody else's database is in its data folder", async () => {
    const dataDir = await createTestFolder();
    await (await startEmbeddedPostgres({ dataDir })).stop();
    await rm(join(dataDir, "postgres/gateway.json"));
    expect(await failedStart("local", { DATA_DIR: dataDir })).toBe(
      sentence(
        `${dataDir}/postgres exists, but the gateway did not create the database in it. Move it away or set DATA_DIR to another folder.`,
      ),
    );
  });

  test("that a file is in the place of its data folder, or of its database", async () => {
    const folder = await createTestFolder();
    await writeFile(join(folder, "file"), "");
    expect(await failedStart("local", { DATA_DIR: join(folder, "file") })).toMatch(
      /^The data folder .*\/file cannot be made or opened\. Set DATA_DIR .*\n$/,
    );
    await mkdir(join(folder, "data"));
    await rename(join(folder, "file"), join(folder, "data/postgres"));
    expect(await failedStart("local", { DATA_DIR: join(folder, "data") })).toMatch(/^The data folder .*\n$/);
  });
});
