import { invalidField, type Schemas } from "@gateway/contract";
import type { Executor } from "@gateway/database";
import { keysOf, startOfIds, timeOfId, type Clock, type CursorCodec } from "@gateway/kernel";
import type { Own } from "@gateway/engine/find-own";
import { sql, type Kysely, type RawBuilder, type Selectable } from "kysely";
import { createHash, randomBytes } from "node:crypto";
import type { CreateId } from "@gateway/engine/id";
import { hasRange, idsWithin, nameOfRange, readPage, type PageRequest } from "@gateway/engine/page";
import { changesBetween, type AuditChange } from "./audit-change.ts";
import { auditLifetimeMs } from "./audit-retention.ts";
import type { AuditTables } from "./tables.ts";

export type Actor = Schemas["Actor"];

export type AuditOrigin = {
  actor: Actor;
  clientAddress: string | null;
  requestId: string | null;
  /** The operator's name on their machine, never shown to the account. */
  operator?: string;
};

export const systemOrigin: AuditOrigin = {
  actor: { type: "system", id: null, applicationId: null },
  clientAddress: null,
  requestId: null,
};

/** The account of events that concern the whole deployment. */
export const deploymentAccountId = "deployment";

/** Types that accounts see, and types that only operators see. */
export type AuditEventType = Schemas["AuditEventType"] | "signing_key.rolled" | "price_signing_key.rolled";

export type AuditRecord = {
  accountId: string;
  type: AuditEventType;
  /** The changed resource. */
  resourceId: string | null;
  /** The actor, when it is not the origin of the transaction. */
  actor?: Actor | undefined;
  /** The resource as presented. When both are given, nothing is recorded unless they differ. */
  before?: object | undefined;
  after?: object | undefined;
};

/** Records an audit event in the transaction of the change. Throws outside a transaction. */
export type RecordAudit = (trx: Executor, record: AuditRecord) => Promise<void>;

/** The same as an insert in a `with` clause of the statement that makes the change. */
export type AuditBeside = (record: Omit<AuditRecord, "before">) => RawBuilder<Record<string, never>>;

export type AuditEvent = {
  id: string;
  type: AuditEventType;
  actor: Actor;
  resourceId: string | null;
  changes: AuditChange[];
  clientAddress: string | null;
  requestId: string | null;
  createdAt: Date;
};

export type AuditFilter = {
  type?: AuditEventType | undefined;
  actorId?: string | undefined;
  resourceId?: string | undefined;
};

export type AuditDeps = { clock: Clock; createId: CreateId; cursors: CursorCodec; origin: AuditOrigin };

/** The parts of an event that can be deleted, as JSON. */
export type PersonalData = { clientAddress: string | null; operator?: string | undefined; changes: AuditChange[] };

/** Fields that hold names and addresses, whatever the resource. */
const personalFields: readonly string[] = ["email", "name", "pendingEmail"];

export function createRecordAudit(deps: Omit<AuditDeps, "cursors">): RecordAudit {
  return async (trx, record) => {
    if (!trx.isTransaction) {
      throw new Error(`The audit event ${record.type} was to be recorded outside of the transaction of its cause.`);
    }
    const { before, after } = record;
    const changes = changesBetween(before ?? null, after ?? null);
    if (before === undefined || after === undefined || changes.length > 0) {
      await auditInsert(deps, { ...record, changes }).execute(trx);
    }
  };
}

export function createAuditBeside(deps: Omit<AuditDeps, "cursors">): AuditBeside {
  return (record) => auditInsert(deps, { ...record, changes: changesBetween(null, record.after ?? null) });
}

function auditInsert(
  { createId, origin }: Omit<AuditDeps, "cursors">,
  { accountId, type, resourceId, actor = origin.actor, changes }: AuditRecord & { changes: AuditChange[] },
): RawBuilder<Record<string, never>> {
  const isPersonal = ({ field }: AuditChange): boolean => personalFields.includes(field);
  const { clientAddress, operator } = origin;
  const id = createId("aud");
  const personal = sealPersonal({ clientAddress, operator, changes: changes.filter(isPersonal) });
  const kept = JSON.stringify(changes.filter((change) => !isPersonal(change)));
  return sql<Record<string, never>>`
    insert into audit_events (id, account_id, type, actor_type, actor_id, application_id, resource_id, request_id, changes,
      personal, personal_salt, personal_hash, created_at)
    values (${id}, ${accountId}, ${type}, ${actor.type}, ${actor.id}, ${actor.applicationId}, ${resourceId},
      ${origin.requestId}, ${kept}, ${personal.text}, ${personal.salt}, ${personal.hash}, ${new Date(timeOfId(id))})
  `;
}

type SealedPersonal = { text: string | null; salt: Buffer | null; hash: Buffer | null };

function sealPersonal(data: PersonalData): SealedPersonal {
  if (data.clientAddress === null && data.operator === undefined && data.changes.length === 0) {
    return { text: null, salt: null, hash: null };
  }
  const text = JSON.stringify(data);
  const salt = randomBytes(16);
  return { text, salt, hash: hashPersonal(salt, text) };
}

export function hashPersonal(salt: Buffer, text: string): Buffer {
  return createHash("sha256").update(salt).update(text).digest();
}

export function createAuditEventStore(
  db: Kysely<AuditTables>,
  { clock, cursors }: Pick<AuditDeps, "clock" | "cursors">,
) {
  const oldest = (): string => startOfIds("aud", clock.now() - auditLifetimeMs);
  return {
    get: async ({ id, accountId }: Own) => {
      const row = await db
        .selectFrom("audit_events")
        .selectAll()
        .where("id", "=", id)
        .where("id", ">=", oldest())
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return row ? auditEventOf(row) : null;
    },
    /** Accepts one filter at most, because each has its own index. */
    list: ({ accountId, type, actorId, resourceId, ...page }: { accountId: string } & AuditFilter & PageRequest) => {
      const filter = onlyFilter({ type, actorId, resourceId });
      const list = `audit-events ${accountId} ${JSON.stringify(filter)}`;
      return readPage(db, db.selectFrom("audit_events").selectAll(), {
        ...page,
        of: { ...filter, account_id: accountId },
        within: idsWithin(page, { prefix: "aud", oldest: oldest() }),
        cursors,
        list: hasRange(page) ? nameOfRange(list, page) : list,
        toItem: auditEventOf,
      });
    },
  };
}

const filterColumns = { type: "type", actorId: "actor_id", resourceId: "resource_id" } as const;

function onlyFilter(filter: AuditFilter): Record<string, string> {
  const given = keysOf(filterColumns).flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [{ name, column: filterColumns[name], value }];
  });
  const [first, second] = given;
  if (second) {
    throw invalidField(second.name, `must not be combined with ${first?.name}: the list takes one filter at a time`);
  }
  return first ? { [first.column]: first.value } : {};
}

type Row = Selectable<AuditTables["audit_events"]>;

/** The personal part of an audit event. Null when the event has none, and after its deletion. */
export function personalOf({ personal }: Pick<Row, "personal">): PersonalData | null {
  // JSON of our own table: `sealPersonal` wrote it.
  return personal === null ? null : (JSON.parse(personal) as PersonalData);
}

export function auditEventOf(row: Row): AuditEvent {
  const personal = personalOf(row);
  return {
    id: row.id,
    // Only `createRecordAudit` writes these columns.
    type: row.type as AuditEventType,
    actor: { type: row.actor_type, id: row.actor_id, applicationId: row.application_id },
    resourceId: row.resource_id,
    // JSON of our own table: `auditInsert` wrote it.
    changes: [...(JSON.parse(row.changes) as AuditChange[]), ...(personal?.changes ?? [])],
    clientAddress: personal?.clientAddress ?? null,
    requestId: row.request_id,
    createdAt: row.created_at,
  };
}
