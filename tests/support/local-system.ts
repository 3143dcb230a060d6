import { services } from "@gateway/contract";
import { chooseLocalPorts, startProcess, startScript, type TestProcess } from "@gateway/testkit";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { promisify } from "node:util";
import { repository } from "./source-files.ts";

export type LocalSystem = {
  program: TestProcess;
  /** The base URL of the API. */
  api: string;
  /** The base URL for sign-ins. */
  auth: string;
  env: Readonly<Record<string, string>>;
};

export type LocalOptions = { dataDir: string; env?: Readonly<Record<string, string>> };

/** The environment of a system with its own free ports and data folder. */
export async function localEnvironment({ dataDir, env = {} }: LocalOptions): Promise<Record<string, string>> {
  return { DATA_DIR: dataDir, ...(await chooseLocalPorts(services)), ...env };
}

/** Runs `npm start`, as a person types it. Resolves when it prints that it runs. */
export async function npmStart(options: LocalOptions): Promise<LocalSystem> {
  const env = await localEnvironment(options);
  return ready(startProcess("npm", ["start"], { env }), env);
}

/** Starts the program behind `npm start` without npm, so that its process id is the one to kill. */
export async function startLocal(options: LocalOptions): Promise<LocalSystem> {
  const env = await localEnvironment(options);
  return ready(startScript("apps/local/src/main.ts", [], { env }), env);
}

async function ready(program: TestProcess, env: Record<string, string>): Promise<LocalSystem> {
  // The welcome is written in one piece, so its first line means that the whole text has arrived.
  await program.printed(/^Gateway runs \((?:sandbox|production)\)\.$/m);
  const { GATEWAY_PORT, AUTH_PORT } = env;
  return { program, env, api: `http://127.0.0.1:${GATEWAY_PORT}`, auth: `http://localhost:${AUTH_PORT}` };
}

export type CommandResult = { code: number; stdout: string; stderr: string };

/** Runs a command to its end. A failure is a result like any other. */
export async function runCommand(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const program = startProcess(command, args, { env });
  const code = await program.exited;
  return { code: code ?? -1, stdout: program.stdout(), stderr: program.stderr() };
}

/** Runs `npm run --silent admin -- ... --json` and parses its output. */
export async function runAdmin<Row>(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Row> {
  const { code, stdout, stderr } = await runCommand("npm", ["run", "--silent", "admin", "--", ...args, "--json"], env);
  if (code !== 0) {
    throw new Error(`admin ${args.join(" ")} ended with ${code}: ${stderr}`);
  }
  return JSON.parse(stdout) as Row;
}

/** Runs a line in a shell, exactly as it is written. */
export async function runShell(line: string): Promise<string> {
  const { stdout } = await promisify(execFile)("sh", ["-c", line], { cwd: repository });
  return stdout;
}

/** Creates an account without an effective rate limit, with a key. */
export async function createCaller(
  env: Readonly<Record<string, string>>,
  permission: string,
): Promise<{ accountId: string; key: string }> {
  const email = `${permission}-${randomUUID()}@example.com`;
  const { id } = await runAdmin<{ id: string }>(
    env,
    "accounts",
    "create",
    "--email",
    email,
    "--tier",
    "enterprise",
    "--limit",
    "1000000",
  );
  const { secret } = await runAdmin<{ secret: string }>(
    env,
    "keys",
    "create",
    "--account",
    id,
    "--permission",
    permission,
  );
  return { accountId: id, key: secret };
}
