import type { Inbox } from "@gateway/engine/work";
import type { Accounts, ApiKeys } from "@gateway/platform/accounts";
import type { Audit } from "@gateway/platform/audit";
import type { SigningKeys } from "@gateway/platform/auth";
import type { Platform } from "@gateway/platform/compose/platform";
import type { Ledger } from "@gateway/platform/ledger";
import type { PriceSigningKeys } from "@gateway/platform/oracle";
import type { Clock } from "@gateway/kernel";
import type { Arguments } from "./arguments.ts";
import type { Result } from "./render-result.ts";

export type AdminDeps = {
  accounts: Accounts;
  apiKeys: ApiKeys;
  signingKeys: Pick<SigningKeys, "list">;
  /** Null without encryption keys: a signing key is stored encrypted. */
  rollSigningKey: SigningKeys["roll"] | null;
  priceSigningKeys: Pick<PriceSigningKeys, "list">;
  rollPriceSigningKey: PriceSigningKeys["roll"] | null;
  audit: Audit;
  ledger: Ledger;
  /** Has it written down that an operator reads there. */
  recordRead(read: { accountId: string; command: string }): Promise<void>;
  clock: Clock;
  facts: Pick<Inbox, "accountOf" | "listOpen">;
  inAccount: Platform["inAccount"];
  transaction: Platform["transaction"];
};

/** The work of a command on a database; gives what to print. Throws a UsageError. */
export type Work = (deps: AdminDeps) => Promise<Result>;

/** By what is typed; each reads its arguments, and throws a UsageError, before there is a database. */
export type Commands = Readonly<Record<string, (args: Arguments) => Work>>;
