import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLedger, type LedgerTables } from "../../src/ledger/index.ts";
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
    expect(await seals().verify(books.accountId)).toEqual({ sealed: 5, fault: null });
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

  test("one changed byte is named, wherever it is", async () => {
    await seals().sealAll();
    const { sealed } = await seals().verify(books.accountId);
    const changes: [sql: string, named: RegExp][] = [
      [
        "update ledger_entries set amount = amount + 1 where id = (select max(id) from ledger_entries)",
        /ltx_\w+ \(sequence 7\)/,
      ],
      ["update ledger_transactions set description = 'x' where sequence = 3", /\(sequence 3\)/],
      [
        "update ledger_transactions set hash = set_byte(hash, 0, 255 - get_byte(hash, 0)) where sequence = 2",
        /\(sequence 2\)/,
      ],
      ["delete from ledger_transactions where sequence = 4", /sequence 4 is missing/],
      ["delete from ledger_transactions where sequence = 7", /checkpoint chk_\w+ is not/],
      ["update ledger_checkpoints set hash = previous_hash where to_sequence = 5", /checkpoint chk_\w+ is not/],
    ];
    for (const [change, named] of changes) {
      const rolledBack = new Error("rolled back");
      const changing = books.database.kysely.transaction().execute(async (trx) => {
        await sql`set local session_replication_role = replica`.execute(trx);
        await sql.raw(change).execute(trx);
        const ledger = createLedger(trx.$pickTables<keyof LedgerTables>(), {
          clock: books.clock,
          accountTime: () => Promise.reject(rolledBack),
          createId: () => "",
          cursors: { encode: () => "", decode: () => null },
          recordAudit: () => Promise.reject(rolledBack),
          recordEvent: () => Promise.reject(rolledBack),
          recordEvents: () => Promise.reject(rolledBack),
        });
        expect((await ledger.seals.verify(books.accountId)).fault, change).toMatch(named);
        throw rolledBack;
      });
      await expect(changing).rejects.toBe(rolledBack);
    }
    expect(await seals().verify(books.accountId)).toEqual({ sealed, fault: null });
  });
});
