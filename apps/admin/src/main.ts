import {
  describeDatabaseFault,
  describeEmbeddedFault,
  findEmbeddedUrl,
  startEmbeddedPostgres,
} from "@gateway/database";
import { ConfigurationError, createCipher, createCursorCodec } from "@gateway/kernel";
import type { AuditOrigin } from "@gateway/platform/audit";
import { openPlatformDatabase } from "@gateway/platform/compose/open-platform-database";
import { createPlatform } from "@gateway/platform/compose/platform";
import { createEventRules, noEventRules } from "@gateway/platform/events";
import { randomBytes } from "node:crypto";
import { hostname, userInfo } from "node:os";
import { promisify } from "node:util";
import { prepareCommand } from "./app.ts";
import { parseArguments, UsageError } from "./arguments.ts";
import type { Work } from "./command.ts";
import { readAdminConfig, type AdminConfig } from "./config.ts";
import { findEncryptionKeys } from "./find-encryption-keys.ts";
import { help } from "./help.ts";
import { renderResult } from "./render-result.ts";

const command = readCommand(process.argv.slice(2));
if (command === null) {
  console.log(help);
} else {
  await execute(command);
}

type Command = { work: Work; isJson: boolean };

/** Null requests help. A mistake prints a line and ends with 2, before anything is opened. */
function readCommand(words: readonly string[]): Command | null {
  try {
    const args = parseArguments(words);
    return args.isHelp ? null : { work: prepareCommand(args), isJson: args.isJson };
  } catch (error) {
    console.error(`${explain(error)} npm run --silent admin -- --help shows the commands.`);
    process.exit(2);
  }
}

async function execute(command: Command): Promise<void> {
  let describeFault = describeDatabaseFault;
  try {
    const config = readAdminConfig(process.env);
    if (config.databaseUrl === null) {
      describeFault = (error) => describeEmbeddedFault(error, config.dataDir);
    }
    await withDatabase(config, (url) => run(command, url, config));
  } catch (error) {
    console.error(describeFault(error) ?? explain(error));
    process.exit(1);
  }
}

/** Prints while the database is open, because a command may still read its output. */
async function run({ work, isJson }: Command, url: string, config: AdminConfig): Promise<void> {
  const { livemode } = config;
  const keys = await findEncryptionKeys(config);
  const database = await openPlatformDatabase({
    ...{ url, livemode, encryptionKeys: keys },
    applicationName: "gateway-admin",
    maxConnections: 1,
    // A person waits, and can try again.
    patienceMs: 0,
  });
  try {
    const platform = createPlatform(database, {
      clock: database.clock,
      // A list shows no sealed values.
      cipher: createCipher(keys ?? [randomBytes(32)]),
      // Only first pages are read here, so their cursors need no permanent key.
      cursors: createCursorCodec(randomBytes(32)),
      livemode,
      // Compiles the document only for a command that records an event.
      eventRules: {
        ...noEventRules,
        checkEvent: (...event) => createEventRules({ webhookAllowedHosts: [] }).checkEvent(...event),
      },
      origin: operatorOrigin(),
    });
    const result = await work({
      ...{ platform, clock: database.clock, hasEncryptionKeys: keys !== null },
      recordRead: ({ accountId, command }) =>
        platform.transaction((services) =>
          services.audit.record({ accountId, type: "operator.read", resourceId: null, after: { command } }),
        ),
    });
    await print(renderResult(result, { isJson }));
  } finally {
    await database.close();
  }
}

/** Writes at the reader's pace. Each piece is written before the next one is requested, so a failure loses none. */
async function print(pieces: AsyncIterable<string>): Promise<void> {
  const write = promisify((text: string, done: (error?: Error | null) => void) => process.stdout.write(text, done));
  // The failed write reports its error itself.
  process.stdout.on("error", () => {});
  for await (const piece of pieces) {
    await write(piece);
  }
}

/** Names the operator's user on this machine. */
function operatorOrigin(): AuditOrigin {
  return {
    actor: { type: "operator", id: null, applicationId: null },
    clientAddress: null,
    requestId: null,
    operator: `${userInfo().username}@${hostname()}`,
  };
}

/** Uses the given server, else the embedded one: that of a running owner, or one started for this command. */
async function withDatabase<Result>(config: AdminConfig, work: (url: string) => Promise<Result>): Promise<Result> {
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
  if (error instanceof UsageError || error instanceof ConfigurationError) {
    return error.message;
  }
  return describeDatabaseFault(error) ?? (error instanceof Error ? error.message : String(error));
}
