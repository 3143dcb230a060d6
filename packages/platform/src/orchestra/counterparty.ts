import type { OrchestraDeps } from "./payment.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem, type Schemas } from "@gateway/contract";
import { prepareQuery, transaction, type Transaction } from "@gateway/database";
import type { Cipher } from "@gateway/kernel";
import { sql, type Kysely, type Selectable } from "kysely";
import { isOwn, externalIdUsed, changeAll, prepareFilteredPages, type Own } from "@gateway/engine/find-own";
import { refuseHiddenCharacters } from "@gateway/engine/hidden-characters";
import { type PageRequest } from "@gateway/engine/page";
import { findAccountNumberProblem, normalizeAccountNumber } from "./account-number.ts";
import type { CounterpartiesTable, OrchestraTables } from "./tables.ts";

export type Counterparty = ReturnType<typeof counterpartyOf>;

type Row = Selectable<CounterpartiesTable>;

/** A counterparty whose texts were erased is null everywhere, like one of another account. */
export type Counterparties = ReturnType<typeof createCounterparties>;

type CreateInput = { accountId: string } & Schemas["CounterpartyCreate"];

export function createCounterparties(db: Kysely<OrchestraTables>, deps: OrchestraDeps) {
  const toItem = (row: Row): Counterparty => counterpartyOf(row, deps.cipher);
  const list = prepareFilteredPages(db, () => selectKnown(db), {
    name: "counterparties",
    cursors: deps.cursors,
    toItem,
  });
  const findOne = prepareQuery<Own, Row>(db, ({ id, accountId }) =>
    selectKnown(db).where("account_id", "=", accountId).where("id", "=", id),
  );
  return {
    /** Refuses an account number that cannot be one of its currency, and an external id that was ever used. */
    create: (input: CreateInput) => transaction(db, (trx) => createCounterparty(trx, deps, input)),
    get: async (own: Own) => {
      const [row] = await findOne(own);
      return row ? toItem(row) : null;
    },
    list: (request: { accountId: string; externalId?: string | undefined } & PageRequest) => list(request),
    /** A second call changes nothing: the first time stays. Refuses one to which a payment is in flight. */
    archive: async (own: Own) => {
      const row = await transaction(db, (trx) => archiveRow(trx, deps, own));
      return row ? toItem(row) : null;
    },
    eraseTexts: (accountId: string) =>
      changeAll(
        db
          .updateTable("counterparties")
          .set({ name: null, account_number: null, account_number_last4: null, external_id: null, metadata: "{}" }),
        accountId,
      ),
  };
}

async function createCounterparty(
  trx: Transaction<OrchestraTables>,
  { clock, createId, cipher, recordAudit }: OrchestraDeps,
  { accountId, name, currency, accountNumber: written, kycVerificationId, externalId, metadata = {} }: CreateInput,
): Promise<Counterparty> {
  refuseHiddenCharacters(name);
  const accountNumber = normalizeAccountNumber(currency, written);
  const problem = findAccountNumberProblem(currency, accountNumber);
  if (problem !== null) {
    throw invalidField("accountNumber", problem);
  }
  const id = createId("cpy");
  const own = { id, account_id: accountId };
  const row = await trx
    .insertInto("counterparties")
    .values({
      ...own,
      currency,
      name: cipher.seal(Buffer.from(name), contextOf("name", own)),
      account_number: cipher.seal(Buffer.from(accountNumber), contextOf("account number", own)),
      account_number_last4: accountNumber.slice(-4),
      kyc_verification_id: kycVerificationId ?? null,
      external_id: externalId ?? null,
      metadata: JSON.stringify(metadata),
      created_at: new Date(clock.now()),
    })
    // Waits for concurrent inserts with the same external id, of which one succeeds.
    .onConflict((conflict) =>
      conflict.columns(["account_id", "external_id"]).where("external_id", "is not", null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    throw externalIdUsed("has, or had, another counterparty");
  }
  await recordAudit(trx, { accountId, type: "counterparty.created", resourceId: id, after: { currency } });
  return counterpartyOf(row, cipher);
}

async function archiveRow(
  trx: Transaction<OrchestraTables>,
  { clock, recordAudit }: OrchestraDeps,
  { id, accountId }: Own,
): Promise<Row | undefined> {
  const row = await trx
    .updateTable("counterparties")
    .set({ archived_at: new Date(clock.now()) })
    .where(isOwn({ id, accountId }))
    .where("archived_at", "is", null)
    .where("name", "is not", null)
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    return findRow(trx, { id, accountId });
  }
  await refusePaid(trx, { id, accountId });
  await recordAudit(trx, { accountId, type: "counterparty.archived", resourceId: id });
  return row;
}

/** Runs under the lock of the archived row, because a payment locks its counterparty before it is inserted. */
async function refusePaid(trx: Transaction<OrchestraTables>, { id, accountId }: Own): Promise<void> {
  const paid = await trx
    .selectFrom("payments")
    .select("id")
    .where("account_id", "=", accountId)
    .where("counterparty_id", "=", id)
    .where("status", "=", sql.lit("initiated"))
    .limit(1)
    .executeTakeFirst();
  if (paid) {
    throw new Problem("INVALID_STATE", `The payment ${paid.id} to the counterparty ${id} is in flight.`);
  }
}

/** For a payment: the counterparty cannot be archived before the transaction ends. */
export async function lockCounterparty(trx: Transaction<OrchestraTables>, own: Own): Promise<Row | undefined> {
  return selectKnown(trx).where(isOwn(own)).forShare().executeTakeFirst();
}

/** Returns it decrypted, for the rail only. */
export async function readAccountNumber(
  db: Kysely<OrchestraTables>,
  { cipher }: Pick<OrchestraDeps, "cipher">,
  own: Own,
): Promise<string> {
  const row = await findRow(db, own);
  if (!row?.account_number) {
    throw new Error(`The account number of the counterparty ${own.id} was erased.`);
  }
  return cipher.open(row.account_number, contextOf("account number", row)).toString();
}

/** All counterparties of the account that have the account number of this one, including archived ones. */
export async function findSameAccountNumber(
  db: Kysely<OrchestraTables>,
  { cipher }: Pick<OrchestraDeps, "cipher">,
  own: Pick<Row, "id" | "account_id" | "account_number" | "account_number_last4">,
): Promise<string[]> {
  const others = await db
    .selectFrom("counterparties")
    .select(["id", "account_id", "account_number"])
    .where("account_id", "=", own.account_id)
    .where("account_number_last4", "=", own.account_number_last4)
    .where("id", "<>", own.id)
    .execute();
  const open = (row: Pick<Row, "id" | "account_id" | "account_number">): string | null =>
    row.account_number && cipher.open(row.account_number, contextOf("account number", row)).toString();
  const number = others.length > 0 ? open(own) : null;
  return [own.id, ...others.filter((row) => number !== null && open(row) === number).map(({ id }) => id)];
}

function findRow(db: Kysely<OrchestraTables>, own: Own): Promise<Row | undefined> {
  return selectKnown(db).where(isOwn(own)).executeTakeFirst();
}

function selectKnown(db: Kysely<OrchestraTables>) {
  return db.selectFrom("counterparties").selectAll().where("name", "is not", null);
}

function counterpartyOf({ name, account_number: _number, account_number_last4: last4, ...row }: Row, cipher: Cipher) {
  return {
    ...nounOf(row),
    // Neither is null in a selected row: they are erased together, see `selectKnown`.
    name: cipher.open(name as Buffer, contextOf("name", row)).toString(),
    // Erasing a counterparty erases it together with the name.
    accountNumberLast4: last4 as string,
  };
}

/** Binds a sealed text to its row: it does not open in the row of another counterparty or account. */
function contextOf(
  field: "name" | "account number",
  { account_id: accountId, id }: { account_id: string; id: string },
): string {
  return `counterparty ${field} ${accountId} ${id}`;
}
