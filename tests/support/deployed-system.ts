import { createTestDatabase, findFreePorts, startProcess, startScript, waitFor, whenReady } from "@gateway/testkit";
import type { TestProcess } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConsoleRole } from "./console-role.ts";
import { readDeployedUnits } from "./deployed-units.ts";
import { readRepositoryFile } from "./source-files.ts";

export type DeployedSystem = {
  /** Ports by the name of the app in `apps/`. Dispatcher and worker have only the port of their metrics. */
  ports: Record<"gateway" | "auth" | "console", number>;
  metricsPorts: Record<"gateway" | "auth" | "dispatcher" | "worker" | "console", number>;
  /** Creates a key with permission `write` in a new account. */
  createKey(): Promise<string>;
  /** Sends SIGTERM to the programs. Resolves to their exit codes. */
  stop(): Promise<(number | null)[]>;
  destroy(): Promise<void>;
};

export type SystemPrograms = { pgbouncer: string; redis: string };

/**
 * Starts the programs in production mode with the settings of the files in `deploy/`. They use a Redis and a PgBouncer
 * that run with the files there. Only machine-specific values are replaced: ports, passwords, the name of the database.
 */
export async function startDeployedSystem({ pgbouncer, redis }: SystemPrograms): Promise<DeployedSystem> {
  const [poolerPort = 0, redisPort = 0, ...ports] = await findFreePorts(10);
  const { url: directUrl } = await createTestDatabase();
  const pooler = await startPooler(pgbouncer, { directUrl, port: poolerPort });
  const store = await startRedis(redis, redisPort);
  const pooledUrl = new URL(directUrl);
  pooledUrl.port = String(poolerPort);
  pooledUrl.pathname = "/gateway";
  const own = {
    DATABASE_URL: pooledUrl.href,
    DATABASE_DIRECT_URL: directUrl,
    ENCRYPTION_KEYS: randomBytes(32).toString("base64"),
    REDIS_URL: `redis://127.0.0.1:${redisPort}`,
    GATEWAY_PORT: String(ports[0]),
    METRICS_PORT: String(ports[1]),
    AUTH_PORT: String(ports[2]),
    AUTH_METRICS_PORT: String(ports[3]),
    DISPATCHER_METRICS_PORT: String(ports[4]),
    WORKER_METRICS_PORT: String(ports[5]),
    CONSOLE_PORT: String(ports[6]),
    CONSOLE_METRICS_PORT: String(ports[7]),
    // Bypasses the pooler, whose list of users here has only the gateway's.
    CONSOLE_DATABASE_URL: await createConsoleRole(directUrl),
    CONSOLE_SESSION_KEYS: randomBytes(32).toString("base64"),
    CONSOLE_CLIENT_SECRET: randomBytes(32).toString("base64"),
    CONSOLE_API_URL: `http://127.0.0.1:${ports[0]}`,
    CONSOLE_AUTH_URL: `http://127.0.0.1:${ports[2]}`,
  };
  const programs = readDeployedUnits()
    .filter(({ app }) => app !== "docs")
    .map(({ app, env }) => startScript(`apps/${app}/src/main.ts`, [], { env: withOwn(env, own) }));
  const [, gateway = 0, , auth = 0, dispatcher = 0, worker = 0, , console = 0] = ports;
  const metricsPorts = { gateway, auth, dispatcher, worker, console };
  for (const [index, port] of Object.values(metricsPorts).entries()) {
    await whenReady(programs[index] as TestProcess, port, { timeoutMs: 60_000 });
  }
  return {
    ports: { gateway: ports[0] ?? 0, auth: ports[2] ?? 0, console: ports[6] ?? 0 },
    metricsPorts,
    createKey: () => createKey({ LIVEMODE: "true", DATABASE_URL: directUrl }),
    stop: async () => {
      programs.forEach((program) => program.signal("SIGTERM"));
      return Promise.all(programs.map(({ exited }) => exited));
    },
    destroy: async () => {
      await Promise.all([...programs, pooler, store].map((one) => one.destroy()));
    },
  };
}

/** Replaces only the settings that the files name. A setting that they lack is missing here too. */
function withOwn(env: Record<string, string>, own: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, own[name] ?? value]));
}

async function startPooler(command: string, { directUrl, port }: { directUrl: string; port: number }) {
  const { hostname, port: serverPort, username, password, pathname } = new URL(directUrl);
  // PgBouncer refuses to run as root, and the user that it switches to must be able to read the files.
  const folder = await mkdtemp(join(tmpdir(), "gateway-pgbouncer-"));
  await chmod(folder, 0o755);
  const users = join(folder, "userlist.txt");
  await writeFile(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  const file = join(folder, "pgbouncer.ini");
  const server = `host=${hostname} port=${serverPort} dbname=${pathname.slice(1)}`;
  await writeFile(
    file,
    replaceEach(readRepositoryFile("deploy/pgbouncer/pgbouncer.ini"), {
      "host=127.0.0.1 port=5432 dbname=gateway": server,
      "listen_port = 6432": `listen_port = ${port}`,
      "/etc/pgbouncer/userlist.txt": users,
    }),
  );
  const asUser = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  return whenListening(startProcess(command, ["--quiet", ...asUser, file]), port);
}

async function startRedis(command: string, port: number): Promise<TestProcess> {
  const folder = await mkdtemp(join(tmpdir(), "gateway-redis-"));
  const file = join(folder, "redis.conf");
  await writeFile(
    file,
    replaceEach(readRepositoryFile("deploy/redis/redis.conf"), { "port 6379": `port ${port}\ndir ${folder}` }),
  );
  return whenListening(startProcess(command, [file]), port);
}

/** Throws when one of the texts does not occur. The file has changed then, and the test must change too. */
export function replaceEach(text: string, replacements: Readonly<Record<string, string>>): string {
  return Object.entries(replacements).reduce((done, [from, to]) => {
    if (!done.includes(from)) {
      throw new Error(`There is no ${from} to be replaced in:\n${done}`);
    }
    return done.replaceAll(from, to);
  }, text);
}

/** Resolves when the port accepts connections. When the process ends first, rejects with its output. */
export async function whenListening(process_: TestProcess, port: number): Promise<TestProcess> {
  let hasEnded = false;
  void process_.exited.then(() => (hasEnded = true));
  await waitFor(() => hasEnded || answers(port));
  if (hasEnded) {
    throw new Error(`It did not start: ${process_.stdout()}${process_.stderr()}`);
  }
  return process_;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

async function createKey(env: Record<string, string>): Promise<string> {
  const admin = async (...args: string[]): Promise<Record<"id" | "secret", string>> => {
    const command = startScript("apps/admin/src/main.ts", [...args, "--json"], { env });
    if ((await command.exited) !== 0) {
      throw new Error(command.stderr());
    }
    return JSON.parse(command.stdout()) as Record<"id" | "secret", string>;
  };
  const { id } = await admin("accounts", "create", "--email", "live@example.com", "--tier", "enterprise");
  return (await admin("keys", "create", "--account", id, "--permission", "write")).secret;
}
