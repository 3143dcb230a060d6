import {
  claimDeployment,
  findEmbeddedUrl,
  isUnavailable,
  migrate,
  openDatabase,
  startEmbeddedPostgres,
} from "@gateway/database";
import { ConfigurationError, createCursorCodec, systemClock } from "@gateway/kernel";
import { createAccounts, createApiKeys } from "@gateway/platform";
import { randomBytes } from "node:crypto";
import { help, runCommand } from "./app.ts";
import { parseArguments, UsageError, type Arguments } from "./arguments.ts";
import { readAdminConfig, type AdminConfig } from "./config.ts";
import { renderRows } from "./render-rows.ts";

try {
  const args = parseArguments(process.argv.slice(2));
  const config = readAdminConfig(process.env);
  console.log(args.isHelp ? help : await withDatabase(config, (url) => run(args, url, config.livemode)));
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

async function run(args: Arguments, url: string, livemode: boolean): Promise<string> {
  await migrate(url);
  const database = openDatabase({ url, applicationName: "gateway-admin", maxConnections: 1 });
  try {
    await claimDeployment(database.kysely, { livemode });
    const result = await runCommand(args, {
      clock: systemClock,
      accounts: createAccounts(database.kysely, { clock: systemClock }),
      // Only first pages are asked for here, so their cursors need no key that lasts.
      apiKeys: createApiKeys(database.kysely, {
        clock: systemClock,
        cursors: createCursorCodec(randomBytes(32)),
        livemode,
      }),
    });
    return args.isJson ? JSON.stringify(result) : renderRows(Array.isArray(result) ? result : [result]);
  } finally {
    await database.close();
  }
}

/** On the given server, else on the embedded one: beside its running owner, or started for this one command. */
async function withDatabase(config: AdminConfig, work: (url: string) => Promise<string>): Promise<string> {
  const url = config.databaseUrl ?? (await findEmbeddedUrl(config.dataDir));
  if (url !== null) {
    return work(url);
  }
  const postgres = await startEmbeddedPostgres({ dataDir: config.dataDir });
  try {
    return await work(postgres.url);
  } finally {
    await postgres.stop();
  }
}

function explain(error: unknown): string {
  if (error instanceof UsageError) {
    return `${error.message}\n\n${help}`;
  }
  if (error instanceof ConfigurationError) {
    return error.message;
  }
  if (isUnavailable(error)) {
    return `The database does not answer (${error instanceof Error ? error.message : String(error)}). Check DATABASE_URL or DATA_DIR.`;
  }
  return error instanceof Error ? error.message : String(error);
}
