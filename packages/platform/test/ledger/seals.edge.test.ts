import { transaction } from "@gateway/database";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLedger, type LedgerTables, type Seals } from "../../src/ledger/index.ts";
import { available, createBooks, type Books } from "./books.ts";

describe("seals", () => {
  let books: Books;
  let wallets: string[];

  beforeAll(async () => {
    books = await createBooks();
    wallets = [await books.createWallet(), await books.createWallet()];
    await books.fund(wallets[0] ?? "", 1_000);
  });
  afterAll(() => books.database.close());

  const seals = () => books.platform.ledger.seals;
  const move = (amountMinor = 1) => books.move(wallets[0] ?? "", wallets[1] ?? "", amountMinor);

  test("what was posted gets the next numbers and one hash after another, once, however many seal", async () => {
    const ids = [(await move()).id, (await move()).id, (await move()).id];
    const counts = await Promise.all(Array.from({ length: 8 }, () => seals().seal(books.accountId)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(4);
    ids.push((await move()).id);
    expect(await seals().sealAll()).toBe(1);
    expect(await seals().sealAll()).toBe(0);

    const sealed = await Promise.all(
      ids.map((id) => books.platform.ledger.transactions.get({ id, accountId: books.accountId })),
    );
    expect(sealed.map((one) => one?.sequence)).toEqual([2, 3, 4, 5]);
    const { items } = await books.platform.ledger.checkpoints.list({ accountId: books.accountId, limit: 10 });
    expect(items).toMatchObject([
      { fromSequence: 5, toSequence: 5, hash: sealed[3]?.hash, previousHash: sealed[2]?.hash },
      { fromSequence: 1, toSequence: 4, hash: sealed[2]?.hash, previousHash: Buffer.alloc(32) },
    ]);
    expect(await seals().verify(books.accountId)).toEqual({
      sealed: 5,
      hash: sealed[3]?.hash,
      unsealed: 0,
      fault: null,
    });
  });

  test("the balance at a moment counts what was created by then, and stays what it was", async () => {
    const id = books.idOf(available(wallets[1] ?? ""));
    const equity = books.idOf({ kind: "clearing", currency: "EUR", part: "equity" });
    const read = async (ledgerAccountId: string, at?: Date) =>
      (await books.platform.ledger.accounts.get({ id: ledgerAccountId, accountId: books.accountId, at }))?.balanceMinor;
    const at = new Date(books.clock.now());
    await expect(read(id, at)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
    books.clock.advance(61_000);
    await move(100);
    await seals().sealAll();
    books.clock.advance(61_000);
    expect(await read(id, at)).toBe(4);
    expect(await read(id, new Date(books.clock.now() - 60_000))).toBe(104);
    expect(await read(id)).toBe(104);
    expect(await read(equity)).toBe(-1_000);
    expect(await read(equity, at)).toBe(-1_000);
    expect(await read(equity, new Date(0))).toBe(0);
    await books.fund(wallets[0] ?? "", 5);
    expect(await read(equity)).toBe(-1_005);
  });

  test("an account is found by its books, also one that lost all its transactions or all its checkpoints", async () => {
    await seals().sealAll();
    expect(await seals().listAccounts()).toEqual([books.accountId]);
    await verifyTampered("delete from ledger_transactions", async (tampered) => {
      expect(await tampered.listAccounts()).toEqual([books.accountId]);
      expect((await tampered.verify(books.accountId)).fault).toContain("sequence 1 is missing");
    });
    await verifyTampered("delete from ledger_checkpoints", async (tampered) => {
      expect(await tampered.listAccounts()).toEqual([books.accountId]);
      expect((await tampered.verify(books.accountId)).fault).toMatch(/ltx_\w+ is sealed behind the last checkpoint/);
    });
  });

  test("what is sealed while a chain is verified is no fault of it", async () => {
    let ends = false;
    const sealOn = async (): Promise<void> => {
      while (!ends) {
        await move();
        await seals().sealAll();
      }
    };
    const sealing = sealOn();
    for (let count = 0; count < 30; count += 1) {
      expect((await seals().verify(books.accountId)).fault).toBeNull();
    }
    ends = true;
    await sealing;
  });

  describe("one changed byte is named, in", () => {
    /** The transactions begin here: 1 has every optional field, 2 is made by hand, 3 reverses it, 4 and 5 follow. */
    let first: number;

    beforeAll(async () => {
      const [walletId = "", other = ""] = wallets;
      await seals().sealAll();
      first = (await seals().verify(books.accountId)).sealed + 1;
      await books.post({
        ...{ kind: "hold", cause: { type: "payment", id: "pay_1" } },
        ...{ description: "Rent", externalId: "once", metadata: { a: "1", b: "2" } },
        entries: [
          { place: available(walletId), direction: "debit", amountMinor: 7 },
          { place: { kind: "wallet", walletId, part: "held" }, direction: "credit", amountMinor: 7 },
        ],
      });
      const { id } = await books.move(walletId, other, 3);
      await books.platform.ledger.transactions.reverse({ id, accountId: books.accountId });
      await books.fund(walletId, 5);
      await seals().sealAll();
      await books.fund(walletId, 5);
      await seals().sealAll();
    });

    const anotherId = (column: string): string =>
      `overlay(${column} placing case right(${column}, 1) when 'z' then 'y' else 'z' end from 30)`;
    /**
     * The changes of each column, and where they are made. Columns that the hash does not cover are left out: the order
     * is in `sequence`, and a reversal is a transaction itself.
     */
    const transactionChanges: Record<string, [change: string, on?: number][]> = {
      account_id: [[anotherId("account_id")]],
      id: [[anotherId("id")]],
      kind: [["'release'"]],
      cause_type: [["'payments'"]],
      cause_id: [["'pay_2'"]],
      description: [["'rent'"], ["null"]],
      external_id: [["'oncf'"]],
      metadata: [[`'{"a": "1", "b": "3"}'`], [`'{"a": 1, "b": "2"}'`], [`'{"a": "1", "c": "2"}'`]],
      reverses: [[anotherId("reverses"), 2]],
      created_at: [
        ["created_at + interval '1 microsecond'"],
        ["created_at + interval '1 millisecond'"],
        // A day that a leap year lacks is not possible.
        ["((created_at - interval '1 day' * (extract(day from created_at)::int / 29))::text || ' BC')::timestamptz"],
      ],
      sequence: [["sequence + 256"], ["sequence + (1::bigint << 56)"]],
      hash: [["set_byte(hash, 31, get_byte(hash, 31) # 1)"]],
    };
    const entryChanges: Record<string, string[]> = {
      account_id: [anotherId("account_id")],
      id: ["overlay(id placing '2' from 33)"],
      ledger_account_id: [anotherId("ledger_account_id")],
      direction: ["'credit'"],
      amount: ["amount + 1", "amount + (1::bigint << 48)"],
      balance_after: ["balance_after + 1", "null"],
      created_at: ["created_at + interval '1 microsecond'"],
    };
    const cases = [
      ...Object.entries(transactionChanges).flatMap(([column, changes]) =>
        changes.map(([change, on = 0]) => ({ table: "ledger_transactions", column, change, on })),
      ),
      ...Object.entries(entryChanges).flatMap(([column, changes]) =>
        changes.map((change) => ({ table: "ledger_entries", column, change, on: 0 })),
      ),
    ];

    test.each(cases)("$table, $column: $change", async ({ table, column, change, on }) => {
      const sequence = first + on;
      const ids = `select id from ledger_transactions where sequence = ${sequence}`;
      const where = table === "ledger_entries" ? `id = (${ids}) || '_00'` : `sequence = ${sequence}`;
      await verifyTampered(`update ${table} set ${column} = ${change} where ${where}`, async ({ verify }) => {
        const { sealed, fault } = await verify(books.accountId);
        expect(sealed).toBe(sequence - 1);
        expect(fault).toContain(`sequence ${sequence}`);
      });
    });

    test("every column of transactions and entries that there is", async () => {
      const { rows } = await sql<{ table_name: string; column_name: string }>`
        select table_name, column_name from information_schema.columns
        where table_name in ('ledger_transactions', 'ledger_entries') and table_schema = current_schema()
          and column_name not in ('posting_no', 'reversed_by')
      `.execute(books.database.kysely);
      const judged = new Set(cases.map(({ table, column }) => `${table}.${column}`));
      expect(rows.map((row) => `${row.table_name}.${row.column_name}`).toSorted()).toEqual([...judged].toSorted());
    });

    test.each([
      ["delete from ledger_transactions where sequence = $2", /sequence $2 is missing/],
      ["delete from ledger_transactions where sequence = $5", /sequence $5 is missing/],
      ["update ledger_transactions set sequence = null, hash = null where sequence = $5", /sequence $5 is missing/],
      ["update ledger_checkpoints set hash = previous_hash where to_sequence = $4", /checkpoint chk_\w+ is not/],
      ["update ledger_checkpoints set latest_at = 'infinity' where to_sequence = $4", /checkpoint chk_\w+ is not/],
      ["delete from ledger_checkpoints where to_sequence = $4", /checkpoint chk_\w+ is not/],
      ["delete from ledger_checkpoints where to_sequence = $5", /ltx_\w+ is sealed behind the last checkpoint/],
    ])("%s", async (change, named) => {
      const at = (text: string): string => text.replace(/\$(\d)/, (_, place) => String(first - 1 + Number(place)));
      await verifyTampered(at(change), async ({ verify }) => {
        expect((await verify(books.accountId)).fault).toMatch(new RegExp(at(named.source)));
      });
    });

    test("and what was not changed stands", async () => {
      const last = await books.platform.ledger.checkpoints.list({ accountId: books.accountId, limit: 1 });
      expect(await seals().verify(books.accountId)).toEqual({
        sealed: first + 4,
        hash: last.items[0]?.hash,
        unsealed: 0,
        fault: null,
      });
    });
  });

  /** Acts with the power of the database's owner, and then undoes everything. */
  async function verifyTampered(change: string, verify: (tampered: Seals) => Promise<void>): Promise<void> {
    const rolledBack = new Error("rolled back");
    const changing = transaction(books.database.kysely, async (trx) => {
      await sql`set local session_replication_role = replica`.execute(trx);
      await sql.raw(change).execute(trx);
      const ledger = createLedger(trx.$pickTables<keyof LedgerTables>(), {
        clock: books.clock,
        inAccount: () => Promise.reject(rolledBack),
        joinAccount: () => expect.unreachable(),
        createId: () => "",
        cursors: { encode: () => "", decode: () => null },
        recordAudit: () => Promise.reject(rolledBack),
        recorder: { record: () => Promise.reject(rolledBack), beside: () => null },
      });
      await verify(ledger.seals);
      throw rolledBack;
    });
    await expect(changing).rejects.toBe(rolledBack);
  }
});
