import { startConsole, type RunningConsole } from "@gateway/console";
import { consoleConfigOf } from "@gateway/console/config";
import { DatabaseFault, describeDatabaseFault, openDatabase } from "@gateway/database";
import { withDatabaseUser } from "@gateway/kernel";
import { hostForUrl } from "@gateway/process";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { hasConsole, type LocalConfig } from "./config.ts";
import { keepEncryptionKey } from "./encryption-key.ts";

export type ConsoleAgreement = { url: string; clientSecret: string };

/** Null without a console. In the sandbox, missing values are generated. */
export function agreeOnConsole({ values }: LocalConfig): ConsoleAgreement | null {
  return hasConsole(values)
    ? {
        url: values.CONSOLE_URL ?? `http://127.0.0.1:${values.CONSOLE_PORT}`,
        clientSecret: values.CONSOLE_CLIENT_SECRET ?? randomBytes(32).toString("base64"),
      }
    : null;
}

/** Local addresses of the other programs, whatever their public addresses. */
export type BesideConsole = { authPort: number; apiPort: number; docsUrl: string; receiverUrl: string | null };

export async function startOwnConsole(
  { values, dataDir, authUrl, apiUrl }: LocalConfig,
  { url: consoleUrl, clientSecret }: ConsoleAgreement,
  { ownDatabaseUrl, beside, print }: { ownDatabaseUrl: string; beside: BesideConsole; print(line: string): void },
): Promise<RunningConsole> {
  const here = (port: number): string => `http://${hostForUrl(values.HOST)}:${port}`;
  const config = consoleConfigOf(
    {
      ...values,
      DOCS_URL: values.DOCS_URL ?? beside.docsUrl,
      CONSOLE_API_URL: values.CONSOLE_API_URL ?? here(beside.apiPort),
      CONSOLE_AUTH_URL: values.CONSOLE_AUTH_URL ?? here(beside.authPort),
    },
    {
      databaseUrl: values.CONSOLE_DATABASE_URL ?? (await makeConsoleRole(ownDatabaseUrl)),
      sessionKeys: values.CONSOLE_SESSION_KEYS ?? [await keepEncryptionKey(dataDir, "console-session-key")],
      consoleUrl,
      clientSecret,
      authUrl,
      apiUrl,
      receiverUrl: beside.receiverUrl,
    },
  );
  return startConsole(config, { print }).catch((error: unknown) => {
    const fault = values.CONSOLE_DATABASE_URL === null ? null : describeDatabaseFault(error, "CONSOLE_DATABASE_URL");
    throw fault === null ? error : new DatabaseFault(fault, { cause: error });
  });
}

const roleFile = join(import.meta.dirname, "../../../deploy/postgres/console-role.sql");

/** Creates the console's role with a password for this start only. Returns its URL. */
async function makeConsoleRole(databaseUrl: string): Promise<string> {
  const own = { applicationName: "console-role", maxConnections: 1, isStarting: true };
  const database = openDatabase<unknown>({ url: databaseUrl, ...own });
  const password = randomBytes(24).toString("base64url");
  try {
    await sql.raw(await readFile(roleFile, "utf8")).execute(database.kysely);
    await sql`alter role gateway_console password ${sql.lit(password)}`.execute(database.kysely);
  } finally {
    await database.close();
  }
  return withDatabaseUser(databaseUrl, { user: "gateway_console", password });
}
