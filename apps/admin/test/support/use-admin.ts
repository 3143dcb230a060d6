import { openDatabase } from "@gateway/database";
import { createCipher, createCursorCodec, systemClock } from "@gateway/kernel";
import { createPlatform, type Platform } from "@gateway/platform/compose/platform";
import type { PlatformDatabase, Schema } from "@gateway/platform/compose/schema";
import { createEventRules } from "@gateway/platform/events";
import { createTestDatabase, patience, startScript, useAll } from "@gateway/testkit";
import { randomBytes } from "node:crypto";
import { expect } from "vitest";

type Env = Readonly<Record<string, string>>;
type Run = { code: number | null; stdout: string; stderr: string };

/** A database, what services do in it, and the operator's commands on it. */
export type Admin = {
  database: PlatformDatabase;
  platform: Platform;
  env: { DATABASE_URL: string };
  /** The platform's `ENCRYPTION_KEYS`, which are not in `env`. */
  encryptionKeys: string;
  run(...words: string[]): Promise<Run>;
  runWith(env: Env, ...words: string[]): Promise<Run>;
  /** The output of a command that succeeds with `--json`. */
  runJson(...words: string[]): Promise<Record<string, unknown>>;
};

export function useAdmin(): Admin {
  return useAll(startAdmin, ({ database }) => database.close());
}

async function startAdmin(): Promise<Admin> {
  const { url } = await createTestDatabase();
  const env = { DATABASE_URL: url };
  const database = openDatabase<Schema>({ url, maxConnections: 2, ...patience });
  const encryptionKey = randomBytes(32);
  const cipher = createCipher([encryptionKey]);
  const platform = createPlatform(database, {
    ...{ clock: systemClock, cipher, cursors: createCursorCodec(cipher.deriveKey("cursors")), livemode: false },
    eventRules: createEventRules({ webhookAllowedHosts: [] }),
  });
  const runWith: Admin["runWith"] = async (more, ...words) => {
    const program = startScript("apps/admin/src/main.ts", words, { env: { ...env, ...more } });
    return { code: await program.exited, stdout: program.stdout(), stderr: program.stderr() };
  };
  const run: Admin["run"] = (...words) => runWith({}, ...words);
  return {
    ...{ database, platform, env, encryptionKeys: encryptionKey.toString("base64"), run, runWith },
    runJson: async (...words) => {
      const { code, stdout, stderr } = await run(...words, "--json");
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return JSON.parse(stdout) as Record<string, unknown>;
    },
  };
}
