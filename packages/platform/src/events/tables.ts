import type { Derived, Immutable, NullableColumn } from "@gateway/database";
import type { CreatedBy } from "../audit/index.ts";
import type { ColumnType } from "kysely";

export type EventsTables = {
  webhooks: WebhooksTable;
  webhook_queues: WebhookQueuesTable;
  dispatchers: DispatchersTable;
  events: EventsTable;
  upstream_events: UpstreamEventsTable;
  pending_deliveries: PendingDeliveriesTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
  webhook_hours: WebhookHoursTable;
};

export type WebhooksTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  url: string;
  events: string[];
  description: NullableColumn<string>;
  status: "enabled" | "disabled" | "failed";
  /** Null until the status changes for the first time. */
  status_changed_at: NullableColumn<Date>;
  /** Sealed; bound to the webhook's id. */
  secret: Buffer;
  /** Signs beside the secret until `previous_secret_ends_at`. */
  previous_secret: NullableColumn<Buffer>;
  previous_secret_ends_at: NullableColumn<Date>;
  /** Its account is: nothing is sent, whatever its status. False unless said. */
  is_suspended: ColumnType<boolean, boolean | undefined, boolean>;
  /** When the owner was warned; null again with the next success, a failure, and when it is enabled. */
  warned_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
  /** A deleted webhook is invisible and never called; its row goes when its deliveries are gone. */
  deleted_at: NullableColumn<Date>;
  created_by: CreatedBy;
};

export type EventsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  type: Immutable<string>;
  /** The envelope as it is sent, byte for byte at every attempt. */
  body: Immutable<string>;
  /** In the time of its account. The real one is in its id. */
  created_at: Immutable<Date>;
  /** Made for one webhook to try it out; a replay leaves it out. False unless said. */
  is_test: ColumnType<boolean, boolean | undefined, never>;
  /** Whose transaction recorded it; null of timers and of what the outside told. */
  request_id: Immutable<string | null>;
  /** What it is about. */
  object_id: Immutable<string | null>;
  /** Given when somebody follows: see `giveNumbers`. */
  follow_epoch: Derived<number | null>;
  follow_number: Derived<string | null>;
};

/** What an upstream told, by the id that it gave it: told again, it is the same event. */
export type UpstreamEventsTable = {
  account_id: Immutable<string>;
  service: Immutable<string>;
  told_id: Immutable<string>;
  event_id: Immutable<string>;
  created_at: Immutable<Date>;
};

export type WebhookQueuesTable = {
  webhook_id: Immutable<string>;
  account_id: Immutable<string>;
  /** When something in it is due, as far as is known; null when nothing is, or when the webhook is not enabled. */
  due_at: NullableColumn<Date>;
  holder: NullableColumn<string>;
  /** Counts the turns of all holders: what is recorded must name the turn that goes on. */
  fence: number;
  served_at: NullableColumn<Date>;
  is_proven: boolean;
};

/** Those that are alive; one that did not renew its row until `ends_at` has lost its turns. */
export type DispatchersTable = {
  id: Immutable<string>;
  ends_at: Date;
};

/** What waits for an attempt: the queue. */
export type PendingDeliveriesTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  webhook_id: Immutable<string>;
  event_id: Immutable<string>;
  /** Attempts ever made. */
  attempt_count: number;
  schedule_position: number;
  due_at: Date;
  /** What its waits have still to spend of the time that its account's clock was moved. 0 unless said. */
  credit_ms: ColumnType<number, number | undefined, number>;
  created_at: Immutable<Date>;
};

/** What is finished, with its last attempt. */
export type DeliveriesTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  webhook_id: Immutable<string>;
  event_id: Immutable<string>;
  status: "delivered" | "failed";
  attempt_count: number;
  schedule_position: number;
  created_at: Immutable<Date>;
  finished_at: NullableColumn<Date>;
  /** Null in rows whose last attempt stands with the others. */
  started_at: NullableColumn<Date>;
  duration_ms: NullableColumn<number>;
  outcome: NullableColumn<string>;
  http_status: NullableColumn<number>;
  response_start: NullableColumn<string>;
  is_manual: NullableColumn<boolean>;
};

/** The attempts before the last of what is finished, and all of what is pending. */
export type DeliveryAttemptsTable = {
  delivery_id: Immutable<string>;
  number: Immutable<number>;
  started_at: Immutable<Date>;
  duration_ms: Immutable<number>;
  outcome: Immutable<string>;
  http_status: NullableColumn<number>;
  /** At most 1 KiB of the answer, as text. */
  response_start: NullableColumn<string>;
  is_manual: Immutable<boolean>;
};

/** How a webhook fared in one hour of UTC, of the real time; kept for two days. Only `HourCounter` writes it. */
export type WebhookHoursTable = {
  account_id: Immutable<string>;
  webhook_id: Immutable<string>;
  hour: Immutable<Date>;
  attempts: number;
  delivered: number;
  durations: number[];
  failed_since: number;
  last_failed_at: NullableColumn<Date>;
  last_failed_delivery_id: NullableColumn<string>;
  last_failed_outcome: NullableColumn<string>;
  last_failed_http_status: NullableColumn<number>;
};
