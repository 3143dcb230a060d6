import type { Clock } from "@gateway/kernel";
import type { Platform } from "@gateway/platform/compose/platform";
import type { Arguments } from "./arguments.ts";
import type { Result } from "./render-result.ts";

export type AdminDeps = {
  platform: Platform;
  clock: Clock;
  /** False: what is sealed can be neither read nor written. */
  hasEncryptionKeys: boolean;
  /** Has it written down that an operator reads there. */
  recordRead(read: { accountId: string; command: string }): Promise<void>;
};

/** The work of a command on a database; gives what to print. Throws a UsageError. */
export type Work = (deps: AdminDeps) => Promise<Result>;

/** By what is typed; each reads its arguments, and throws a UsageError, before there is a database. */
export type Commands = Readonly<Record<string, (args: Arguments) => Work>>;
