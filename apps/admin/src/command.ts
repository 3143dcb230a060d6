import type { Clock } from "@gateway/kernel";
import type { Platform } from "@gateway/platform/compose/platform";
import type { Arguments } from "./arguments.ts";
import type { Result } from "./render-result.ts";

type AdminDeps = {
  platform: Platform;
  clock: Clock;
  /** Without the keys, sealed values can be neither read nor written. */
  hasEncryptionKeys: boolean;
  /** Records that an operator reads data of the account. */
  recordRead(read: { accountId: string; command: string }): Promise<void>;
};

/** The work of a command on a database; returns the output. Throws a UsageError. */
export type Work = (deps: AdminDeps) => Promise<Result>;

/** Commands by their words. Each reads its arguments, and throws a UsageError, before a database is opened. */
export type Commands = Readonly<Record<string, (args: Arguments) => Work>>;
