import { ledgerAccountIdOf, type LedgerPlace } from "@gateway/platform/ledger";
import { sql } from "kysely";
import { beforeAll, describe, expect, test } from "vitest";
import { useAdmin } from "./support/use-admin.ts";

const greatest = 9_007_199_254_740_991;

describe("the operator's commands for the ledger", () => {
  const admin = useAdmin();
  let accountId: string;
  let walletId: string;

  const createWallet = async (): Promise<string> => {
    const wallet = { accountId, name: "W", currency: "EUR", metadata: {} } as const;
    return (await admin.platform.ledger.wallets.create(wallet)).id;
  };
  beforeAll(async () => {
    const owner = { email: "a@example.com", tier: "growth", requestsPerMinute: null } as const;
    accountId = (await admin.platform.accounts.create(owner))?.id ?? "";
    walletId = await createWallet();
  });

  const listAudit = async (type: "operator.read" | "ledger_transaction.created") =>
    (await admin.platform.audit.list({ accountId, type, limit: 10 })).items;

  describe("verify", () => {
    const fund = (amountMinor: number) => {
      const equity: LedgerPlace = { kind: "clearing", currency: "EUR", part: "equity" };
      const entries = [
        { place: equity, direction: "debit" as const, amountMinor },
        { place: { kind: "wallet", walletId, part: "available" } as const, direction: "credit" as const, amountMinor },
      ];
      return admin.platform.ledger.transactions.post({
        accountId,
        kind: "opening",
        cause: null,
        isUnderWay: false,
        entries,
      });
    };

    test("tells how far the books are sealed and true, of one account or of all, and that it was asked", async () => {
      await fund(5);
      await fund(6);
      await admin.platform.ledger.seals.sealAll();
      await fund(7);
      const { items } = await admin.platform.ledger.checkpoints.list({ accountId, limit: 1 });
      const row = { account: accountId, sequence: 2, hash: items[0]?.hash.toString("hex"), unsealed: 1 };
      expect(await admin.runJson("ledger", "verify")).toEqual([row]);
      expect(await admin.runJson("ledger", "verify", "--account", accountId)).toEqual([row]);
      expect(await listAudit("operator.read")).toMatchObject([
        { actor: { type: "operator" }, changes: [{ field: "command", after: "ledger verify" }] },
      ]);
    });

    test("ends with 1 and the first ledger transaction that was changed, whoever owns the database", async () => {
      await admin.platform.ledger.seals.sealAll();
      const { items } = await admin.platform.ledger.transactions.list({ accountId, limit: 10 });
      const changed = items.find(({ sequence }) => sequence === 2)?.id ?? "";
      const add = (amount: number) =>
        admin.database.kysely.transaction().execute(async (trx) => {
          await sql`set local session_replication_role = replica`.execute(trx);
          await sql`update ledger_entries set amount = amount + ${amount} where id = ${`${changed}_01`}`.execute(trx);
        });
      await add(1);
      const refusal = `The books of ${accountId} are not as they were sealed: the ledger transaction ${changed} (sequence 2) is not what was sealed.\n`;
      for (const of of [[], ["--account", accountId]]) {
        expect(await admin.run("ledger", "verify", ...of)).toEqual({ code: 1, stdout: "", stderr: refusal });
      }
      await add(-1);
      expect(await admin.runJson("ledger", "verify")).toMatchObject([{ sequence: 3, unsealed: 0 }]);
    });

    test("an account that there is not has no books that are true", async () => {
      const { code, stderr } = await admin.run("ledger", "verify", "--account", "acc_none");
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("There is no account acc_none") });
    });
  });

  describe("adjust", () => {
    const adjust = (direction: string, amount: number, reason = "Found at the audit of 2026") => [
      ...["ledger", "adjust", "--wallet", walletId, "--amount", String(amount)],
      ...["--direction", direction, "--reason", reason],
    ];

    beforeAll(async () => {
      walletId = await createWallet();
    });

    test("books what a wallet lacks against equity, up to 2^53 - 1, for the account to read, and not to reverse", async () => {
      const row = {
        direction: "credit",
        amount: greatest,
        availableAfter: greatest,
        reason: "Found at the audit of 2026",
      };
      const booked = (await admin.runJson(...adjust("credit", greatest))) as { id: string };
      expect(booked).toEqual({ ...row, id: expect.stringMatching(/^ltx_/), createdAt: expect.any(String) });
      const { ledger } = admin.platform;
      expect(await ledger.wallets.get({ id: walletId, accountId })).toMatchObject({ availableMinor: greatest });
      const equity = ledgerAccountIdOf({ kind: "clearing", currency: "EUR", part: "equity" }, accountId);
      expect(await ledger.transactions.get({ id: booked.id, accountId })).toMatchObject({
        kind: "opening",
        cause: null,
        description: row.reason,
        entries: [{ direction: "credit" }, { ledgerAccountId: equity, direction: "debit", amountMinor: greatest }],
      });
      const { items } = await admin.platform.events.list({ accountId, type: "wallet.balance_changed", limit: 1 });
      expect(items).toMatchObject([
        { data: { object: { walletId, version: 1, cause: null, balanceAfter: { available: greatest } } } },
      ]);
      const changes = { walletId, direction: "credit", amount: greatest, description: row.reason };
      expect(await listAudit("ledger_transaction.created")).toMatchObject([
        {
          resourceId: booked.id,
          actor: { type: "operator" },
          changes: Object.entries(changes).map(([field, after]) => ({ field, before: null, after })),
        },
      ]);
      await expect(ledger.transactions.reverse({ id: booked.id, accountId })).rejects.toMatchObject({
        code: "INVALID_STATE",
      });
    });

    test("takes away what a wallet has too much, and says what it refuses, of which nothing is left", async () => {
      const tooMuch = await admin.run(...adjust("credit", 1));
      expect(tooMuch).toEqual({
        code: 1,
        stdout: "",
        stderr: expect.stringContaining(`${walletId} would hold more than 9007199254740991`),
      });
      expect(await admin.runJson(...adjust("debit", greatest))).toMatchObject({ availableAfter: 0 });
      const none = await admin.run(...adjust("debit", 1));
      expect(none).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(`${walletId} has 0 available`) });
      expect(await listAudit("ledger_transaction.created")).toHaveLength(2);
    });

    test("a wallet that there is not is named", async () => {
      const { code, stderr } = await admin.run(
        "ledger",
        "adjust",
        "--wallet",
        "wal_none",
        ...adjust("credit", 1).slice(4),
      );
      expect({ code, stderr }).toEqual({ code: 1, stderr: "There is no wallet wal_none.\n" });
    });
  });
});
