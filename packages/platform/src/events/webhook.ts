import type { EventsDeps } from "./event.ts";
import { nounOf } from "@gateway/engine/noun";
import { invalidField, Problem, type EventType } from "@gateway/contract";
import { transaction } from "@gateway/database";
import { isOwn, type Own, firstOf } from "@gateway/engine/find-own";
import { sql, type Kysely, type Selectable } from "kysely";
import { lockAccount } from "../accounts/index.ts";
import type { AuditEventType } from "../audit/index.ts";
import { prepareCreatedPages, walkIndex } from "@gateway/engine/page";
import type { EventRules } from "./event-rules.ts";
import { presentWebhook, type Webhook } from "./present-webhook.ts";
import { readWebhookHealth } from "./webhook-health.ts";
import { createWebhookSecret, sealWebhookSecret } from "./webhook-secret.ts";
import type { EventsTables, WebhooksTable } from "./tables.ts";

/** Maximum number of webhooks of an account, without deleted ones. Each event of the account looks at all of them. */
export const maxWebhooksOfAccount = 50;

type Row = Selectable<WebhooksTable>;

export type WebhookStatus = WebhooksTable["status"];

export type WebhookWithSecret = Webhook & { secret: string };

/** A deleted webhook is null everywhere, like one of another account. */
export type Webhooks = ReturnType<typeof createWebhooks>;

type CreateInput = {
  accountId: string;
  url: string;
  events: readonly EventType[];
  description: string | null;
};

type UpdateInput = Own & {
  url?: string | undefined;
  events?: readonly EventType[] | undefined;
  description?: string | null | undefined;
};

export function createWebhooks(db: Kysely<EventsTables>, deps: EventsDeps) {
  return {
    /** Refuses a URL that may not receive events, and one webhook too many. Only this result has the secret. */
    create: (input: CreateInput) => transaction(db, (trx) => createWebhook(trx, deps, input)),
    get: ({ id, accountId }: Own) => firstOf(selectOwn(db, { id, accountId }), webhookOf),
    /** Its health in the past 24 hours. */
    health: (own: Own) => readWebhookHealth(db, own),
    list: prepareCreatedPages(db, () => db.selectFrom("webhooks").selectAll().where("deleted_at", "is", null), {
      name: "webhooks",
      cursors: deps.cursors,
      toItem: webhookOf,
    }),
    /** Undefined fields stay unchanged. A new URL also applies to events that wait; new types apply to new events. */
    update: (input: UpdateInput) => transaction(db, (trx) => updateWebhook(trx, deps, input)),
    /** Drops its pending deliveries. Returns the webhook as it was. */
    delete: (own: Own) => transaction(db, (trx) => deleteWebhook(trx, deps, own)),
    /** Deletes all webhooks of an account whose closing has its own audit event. */
    deleteAll: async (accountId: string) => {
      await db
        .updateTable("webhooks")
        .set({ deleted_at: new Date(deps.clock.now()) })
        .where("account_id", "=", accountId)
        .where("deleted_at", "is", null)
        .execute();
    },
    /** Holds pending deliveries from now on. Also ends the state `failed`. A repetition changes nothing. */
    disable: (own: Own) => transaction(db, (trx) => changeStatus(trx, deps, { ...own, status: "disabled" })),
    /** Makes held deliveries due, oldest first. Warnings start again. A repetition changes nothing. */
    enable: (own: Own) => transaction(db, (trx) => changeStatus(trx, deps, { ...own, status: "enabled" })),
    /** Holds all pending deliveries while the account is suspended; no status changes. */
    changeSuspension: async ({ accountId, isSuspended }: { accountId: string; isSuspended: boolean }) => {
      await db
        .updateTable("webhooks")
        .set({ is_suspended: isSuspended })
        .where("account_id", "=", accountId)
        .where("deleted_at", "is", null)
        .execute();
    },
    /**
     * The previous secret keeps signing for `overlapSeconds`; an older one stops. Only this result has the new secret.
     */
    rollSecret: (input: Own & { overlapSeconds: number }) => transaction(db, (trx) => rollSecret(trx, deps, input)),
  };
}

async function createWebhook(
  db: Kysely<EventsTables>,
  deps: EventsDeps,
  input: CreateInput,
): Promise<WebhookWithSecret> {
  await refuseUrl(deps.eventRules, input.url);
  const { isSuspended } = await lockAccount(db, input.accountId);
  await refuseOverLimit(db, input.accountId);
  const id = deps.createId("whk");
  const secret = createWebhookSecret();
  const row = await db
    .insertInto("webhooks")
    .values({
      id,
      account_id: input.accountId,
      url: input.url,
      events: [...input.events],
      description: input.description,
      status: "enabled",
      // For a request that was let in before the suspension.
      is_suspended: isSuspended,
      secret: sealWebhookSecret(deps.cipher, id, secret),
      created_at: new Date(deps.clock.now()),
      created_by: JSON.stringify(deps.origin.actor),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await record(db, deps, { accountId: input.accountId, type: "webhook.created", after: webhookOf(row) });
  return { ...webhookOf(row), secret };
}

async function updateWebhook(
  db: Kysely<EventsTables>,
  deps: EventsDeps,
  { id, accountId, url, events, description }: UpdateInput,
): Promise<Webhook | null> {
  if (url !== undefined) {
    await refuseUrl(deps.eventRules, url);
  }
  const old = await selectOwn(db, { id, accountId }).forUpdate().executeTakeFirst();
  if (!old) {
    return null;
  }
  const row = await updateOwn(db, { id, accountId })
    .set({
      url: url ?? sql`url`,
      events: events ? [...events] : sql`events`,
      description: description === undefined ? sql`description` : description,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const [before, after] = [webhookOf(old), webhookOf(row)];
  await record(db, deps, { accountId, type: "webhook.updated", before, after });
  return after;
}

async function deleteWebhook(db: Kysely<EventsTables>, deps: EventsDeps, own: Own): Promise<Webhook | null> {
  const row = await updateOwn(db, own)
    .set({ deleted_at: new Date(deps.clock.now()) })
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    return null;
  }
  const before = webhookOf(row);
  await record(db, deps, { accountId: own.accountId, type: "webhook.deleted", before });
  return before;
}

async function changeStatus(
  db: Kysely<EventsTables>,
  deps: EventsDeps,
  { status, ...own }: Own & { status: "enabled" | "disabled" },
): Promise<Webhook | null> {
  const old = await selectOwn(db, own).forUpdate().executeTakeFirst();
  if (!old) {
    return null;
  }
  const row = await updateOwn(db, own)
    .set({
      status,
      status_changed_at: sql`case when status = ${status} then status_changed_at else ${new Date(deps.clock.now())}::timestamptz end`,
      // One early warning for each time that a webhook is enabled.
      warned_at: sql`case when status = 'enabled' or ${status} = 'disabled' then warned_at end`,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const [before, after] = [webhookOf(old), webhookOf(row)];
  await record(db, deps, { accountId: own.accountId, type: `webhook.${status}`, before, after });
  return after;
}

async function rollSecret(
  db: Kysely<EventsTables>,
  deps: EventsDeps,
  { overlapSeconds, ...own }: Own & { overlapSeconds: number },
): Promise<WebhookWithSecret | null> {
  const secret = createWebhookSecret();
  const hasOverlap = overlapSeconds > 0;
  const row = await updateOwn(db, own)
    .set({
      secret: sealWebhookSecret(deps.cipher, own.id, secret),
      // The right side of SET reads the row as it was.
      previous_secret: hasOverlap ? sql`secret` : null,
      previous_secret_ends_at: hasOverlap ? new Date(deps.clock.now() + overlapSeconds * 1000) : null,
    })
    .returningAll()
    .executeTakeFirst();
  if (!row) {
    return null;
  }
  const webhook = webhookOf(row);
  const { secretOverlapEndsAt } = presentWebhook(webhook, deps.clock.now());
  await deps.recordAudit(db, {
    accountId: own.accountId,
    type: "webhook.secret_rolled",
    resourceId: own.id,
    after: { secretOverlapEndsAt },
  });
  return { ...webhook, secret };
}

async function record(
  db: Kysely<EventsTables>,
  { clock, recordAudit }: EventsDeps,
  { accountId, type, before, after }: { accountId: string; type: AuditEventType; before?: Webhook; after?: Webhook },
): Promise<void> {
  const nowMs = clock.now();
  await recordAudit(db, {
    accountId,
    type,
    resourceId: (after ?? before)?.id ?? null,
    before: before && presentWebhook(before, nowMs),
    after: after && presentWebhook(after, nowMs),
  });
}

function selectOwn(db: Kysely<EventsTables>, own: Own) {
  return db.selectFrom("webhooks").selectAll().where(isOwn(own)).where("deleted_at", "is", null);
}

function updateOwn(db: Kysely<EventsTables>, own: Own) {
  return db.updateTable("webhooks").where(isOwn(own)).where("deleted_at", "is", null);
}

async function refuseUrl(rules: EventRules, url: string): Promise<void> {
  const problem = await rules.findWebhookUrlProblem(url);
  if (problem !== null) {
    throw invalidField("url", problem);
  }
}

/** The caller holds the account. It locks it after the look-up of the URL's host, so that the lock is short. */
async function refuseOverLimit(db: Kysely<EventsTables>, accountId: string): Promise<void> {
  const own = walkIndex(db.selectFrom("webhooks").select("id").where("deleted_at", "is", null), {
    of: { account_id: accountId },
    most: maxWebhooksOfAccount,
  });
  if ((await own.execute()).length === maxWebhooksOfAccount) {
    throw new Problem(
      "WEBHOOK_LIMIT_REACHED",
      `The account has ${maxWebhooksOfAccount} webhooks, which is the maximum. Delete one that is no longer needed first.`,
    );
  }
}

function webhookOf({ secret: _secret, previous_secret: _previous, ...row }: Row): Webhook {
  // Only types that the document knows were ever stored.
  const events = row.events as EventType[];
  return { ...nounOf(row), events, statusChangedAt: row.status_changed_at ?? row.created_at };
}
