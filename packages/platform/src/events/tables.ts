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
  /** Signs in addition to the secret until `previous_secret_ends_at`. */
  previous_secret: NullableColumn<Buffer>;
  previous_secret_ends_at: NullableColumn<Date>;
  /** Its account is suspended: nothing is sent, whatever its status. False by default. */
  is_suspended: ColumnType<boolean, boolean | undefined, boolean>;
  /** When the owner was warned; null again with the next success, a failure, and when it is enabled. */
  warned_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
  /** A deleted webhook is invisible and never called; its row goes when its deliveries are gone. */
  deleted_at: NullableColumn<Date>;
  created_by: CreatedBy;
};

type EventsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  type: Immutable<string>;
  /** The envelope as it is sent, byte for byte at every attempt. */
  body: Immutable<string>;
  /** The time of its account. The real time is in its id. */
  created_at: Immutable<Date>;
  /** Made for one webhook to try it out, so a replay leaves it out. False by default. */
  is_test: ColumnType<boolean, boolean | undefined, never>;
  /** The request whose transaction recorded it; null for timers and for reports of external systems. */
  request_id: Immutable<string | null>;
  /** The id of the object that the event is about. */
  object_id: Immutable<string | null>;
  /** Assigned when a follower reads: see `giveNumbers`. */
  follow_epoch: Derived<number | null>;
  follow_number: Derived<string | null>;
};

/** Events that an upstream reported, by the id that it gave. A repeated report is the same event. */
type UpstreamEventsTable = {
  account_id: Immutable<string>;
  service: Immutable<string>;
  told_id: Immutable<string>;
  event_id: Immutable<string>;
  created_at: Immutable<Date>;
};

type WebhookQueuesTable = {
  webhook_id: Immutable<string>;
  account_id: Immutable<string>;
  /**
   * The time at which something in it is due, as far as is known; null when nothing is, or when the webhook is not
   * enabled.
   */
  due_at: NullableColumn<Date>;
  holder: NullableColumn<string>;
  /** Counts the turns of all holders. An outcome must name the current turn. */
  fence: number;
  served_at: NullableColumn<Date>;
  is_proven: boolean;
};

/** Dispatchers that are alive. One without a renewal until `ends_at` has lost its turns. */
type DispatchersTable = {
  id: Immutable<string>;
  ends_at: Date;
};

/** Deliveries that wait for an attempt: the queue. */
type PendingDeliveriesTable = {
  account_id: Immutable<string>;
  id: Immutable<string>;
  webhook_id: Immutable<string>;
  event_id: Immutable<string>;
  /** Attempts in total. */
  attempt_count: number;
  schedule_position: number;
  due_at: Date;
  /** Unspent part of the time by which the account's clock was moved, which shortens later waits. 0 by default. */
  credit_ms: ColumnType<number, number | undefined, number>;
  created_at: Immutable<Date>;
};

/** Finished deliveries, with their last attempt. */
type DeliveriesTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  webhook_id: Immutable<string>;
  event_id: Immutable<string>;
  status: "delivered" | "failed";
  attempt_count: number;
  schedule_position: number;
  created_at: Immutable<Date>;
  finished_at: NullableColumn<Date>;
  /** Null in rows whose last attempt is stored with the others. */
  started_at: NullableColumn<Date>;
  duration_ms: NullableColumn<number>;
  outcome: NullableColumn<string>;
  http_status: NullableColumn<number>;
  response_start: NullableColumn<string>;
  is_manual: NullableColumn<boolean>;
};

/** All attempts of pending deliveries, and those before the last of finished ones. */
type DeliveryAttemptsTable = {
  delivery_id: Immutable<string>;
  number: Immutable<number>;
  started_at: Immutable<Date>;
  duration_ms: Immutable<number>;
  outcome: Immutable<string>;
  http_status: NullableColumn<number>;
  /** At most 1 KiB of the response, as text. */
  response_start: NullableColumn<string>;
  is_manual: Immutable<boolean>;
};

/** Counts of a webhook in one hour of UTC, in real time; kept for two days. Only `HourCounter` writes it. */
type WebhookHoursTable = {
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
