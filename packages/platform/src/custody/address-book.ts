import type { CustodyDeps } from "./transfer-deps.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem, type Schemas } from "@gateway/contract";
import type { Transaction } from "@gateway/database";
import { isOwn, changeAll, type Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import type { AccountTransaction } from "@gateway/engine/account-time";
import { refuseHiddenCharacters } from "@gateway/engine/hidden-characters";
import { readPage, type PageRequest } from "@gateway/engine/page";
import type { NetworkCode } from "@gateway/ports";
import { readAddress } from "./address-form.ts";
import { spellAddress } from "./network.ts";
import type { AddressBookEntriesTable, OutgoingTables } from "./tables.ts";
import { policyDelayMs } from "./transfer-policy.ts";

export const maxAddressBookEntries = 1_000;

export type AddressBookEntry = ReturnType<typeof entryOf>;

type CreateInput = { accountId: string } & Schemas["AddressBookEntryCreate"];

type Row = Selectable<AddressBookEntriesTable>;

export function createAddressBook(db: Kysely<OutgoingTables>, deps: CustodyDeps) {
  return {
    /** Rules know it a day later, in the account's time. */
    create: (input: CreateInput) => deps.inAccount(db, input.accountId, (trx) => createEntry(trx, deps, input)),
    list: async ({ accountId, ...page }: { accountId: string } & PageRequest) => {
      const nowMs = await deps.accountNow(db, accountId);
      return readPage(db, db.selectFrom("address_book_entries").selectAll(), {
        ...page,
        of: { living_account_id: accountId },
        cursors: deps.cursors,
        list: `address-book ${accountId}`,
        toItem: (row: Row) => entryOf(row, nowMs),
      });
    },
    /** Deleting twice changes nothing. `isFirst` is false the second time. */
    delete: (own: Own) => deps.inAccount(db, own.accountId, (trx) => deleteEntry(trx, deps, own)),
    eraseTexts: ({ accountId, name }: { accountId: string; name: string }) =>
      changeAll(db.updateTable("address_book_entries").set({ name }), accountId),
  };
}

/** Whether the account trusts the address at that time. */
export async function isInAddressBook(
  db: Kysely<OutgoingTables>,
  { accountId, network, address, nowMs }: { accountId: string; network: NetworkCode; address: string; nowMs: number },
): Promise<boolean> {
  const row = await db
    .selectFrom("address_book_entries")
    .select("id")
    .where("account_id", "=", accountId)
    .where("address", "=", spellAddress(network, address))
    .where("network", "=", network)
    .where("deleted_at", "is", null)
    .where("active_from", "<=", new Date(nowMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function createEntry(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { accountId, network, address, name }: CreateInput,
): Promise<AddressBookEntry> {
  refuseHiddenCharacters(name);
  const reading = readAddress(network, address, deps);
  if (!reading.isValid) {
    throw invalidField("address", reading.problem);
  }
  const nowMs = trx.now.getTime();
  await refuseOverLimit(trx, accountId);
  const row = await trx
    .insertInto("address_book_entries")
    .values({
      account_id: accountId,
      id: deps.createId("adb"),
      network,
      address: reading.address,
      name,
      active_from: new Date(nowMs + policyDelayMs),
      created_at: trx.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await deps.recordAudit(trx, {
    accountId,
    type: "address_book_entry.created",
    resourceId: row.id,
    after: { network, address: row.address, name, activeFrom: row.active_from.toISOString() },
  });
  return entryOf(row, nowMs);
}

/** Refuses an entry over the limit. The lock makes concurrent entries count one after the other. */
async function refuseOverLimit(trx: Transaction<OutgoingTables>, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`address book ${accountId}`}, 0))`.execute(trx);
  const { rows } = await sql`
    select from address_book_entries where living_account_id = ${accountId}
    limit ${sql.lit(maxAddressBookEntries)}
  `.execute(trx);
  if (rows.length === maxAddressBookEntries) {
    throw new Problem(
      "LIMIT_REACHED",
      `The address book has ${maxAddressBookEntries} entries, which is the maximum. Delete one first.`,
    );
  }
}

async function deleteEntry(
  trx: AccountTransaction<OutgoingTables>,
  deps: CustodyDeps,
  { id, accountId }: Own,
): Promise<{ entry: AddressBookEntry; isFirst: boolean } | null> {
  const nowMs = trx.now.getTime();
  const row = await trx
    .selectFrom("address_book_entries")
    .selectAll()
    .where(isOwn({ id, accountId }))
    .forUpdate()
    .executeTakeFirst();
  if (!row) {
    return null;
  }
  const isFirst = row.deleted_at === null;
  if (isFirst) {
    await changeAll(
      trx.updateTable("address_book_entries").set({ deleted_at: trx.now }).where("id", "=", id),
      accountId,
    );
    const { network, address, name } = row;
    const before = { network, address, name };
    await deps.recordAudit(trx, { accountId, type: "address_book_entry.deleted", resourceId: id, before });
  }
  return { entry: entryOf(row, nowMs), isFirst };
}

function entryOf({ deleted_at: _deleted, living_account_id: _living, ...row }: Row, nowMs: number) {
  return { ...nounOf(row), isActive: row.active_from.getTime() <= nowMs };
}
