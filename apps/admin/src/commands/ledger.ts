import { deploymentAccountId } from "@gateway/platform/audit";
import type { LedgerTransaction, Verification } from "@gateway/platform/ledger";
import { requireAmount, requireDescription, requireDirection, requireText, UsageError } from "../arguments.ts";
import type { Commands } from "../command.ts";
import { ofAccount } from "../of-account.ts";
import type { Row } from "../render-result.ts";

export const ledgerCommands: Commands = {
  "ledger verify": (args) => {
    const only = args.values.account === undefined ? null : requireText(args, "account");
    return async ({ platform: { accounts, ledger }, recordRead }) => {
      if (only !== null) {
        ofAccount(await accounts.get(only), only);
      }
      await recordRead({ accountId: only ?? deploymentAccountId, command: args.command });
      const rows: Row[] = [];
      for (const accountId of only === null ? await ledger.seals.listAccounts() : [only]) {
        rows.push(verifiedRow(accountId, await ledger.seals.verify(accountId)));
      }
      return rows;
    };
  },
  "ledger adjust": (args) => {
    const walletId = requireText(args, "wallet");
    const amountMinor = requireAmount(args);
    const direction = requireDirection(args);
    const reason = requireDescription(args, "reason");
    return async ({ platform }) => {
      const booked = await platform.ledger.transactions.adjust({ walletId, amountMinor, direction, reason });
      if (!booked) {
        throw new UsageError(`There is no wallet ${walletId}.`);
      }
      return adjustmentRow(booked);
    };
  },
};

/** Rejects with the first ledger transaction that is wrong: so the command fails. */
function verifiedRow(account: string, { sealed, hash, unsealed, fault }: Verification): Row {
  if (fault !== null) {
    throw new Error(`The books of ${account} are not as they were sealed: ${fault}.`);
  }
  return { account, sequence: sealed, hash: hash.toString("hex"), unsealed };
}

/** The wallet's side is its first entry. */
function adjustmentRow({ id, entries: [entry], description, createdAt }: LedgerTransaction): Row {
  return {
    id,
    direction: entry?.direction ?? null,
    amount: entry?.amountMinor ?? null,
    availableAfter: entry?.balanceAfterMinor ?? null,
    reason: description,
    createdAt,
  };
}
