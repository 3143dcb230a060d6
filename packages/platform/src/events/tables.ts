import type { Immutable, NullableColumn } from "@gateway/database";
import type { ColumnType } from "kysely";

/** The tables that only this service reads and writes. */
export type EventsTables = {
  webhooks: WebhooksTable;
  events: EventsTable;
  deliveries: DeliveriesTable;
  delivery_attempts: DeliveryAttemptsTable;
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
  /** When the owner was warned; forgotten with the next success, when the webhook fails, and when it is enabled again. */
  warned_at: NullableColumn<Date>;
  created_at: Immutable<Date>;
  /** A deleted webhook is invisible and never called; its row goes when its deliveries are gone. */
  deleted_at: NullableColumn<Date>;
};

export type EventsTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  type: Immutable<string>;
  /** The envelope as it is sent, byte for byte at every attempt. */
  body: Immutable<string>;
  created_at: Immutable<Date>;
  /** Made for one webhook to try it out; a replay leaves it out. False unless said. */
  is_test: ColumnType<boolean, boolean | undefined, never>;
};

export type DeliveriesTable = {
  id: Immutable<string>;
  account_id: Immutable<string>;
  webhook_id: Immutable<string>;
  event_id: Immutable<string>;
  status: "pending" | "delivered" | "failed";
  /** Attempts ever made. */
  attempt_count: number;
  /** Attempts made in the schedule that runs now; a resend begins a new one. */
  schedule_position: number;
  /** When the next attempt is due; while leased, when the lease ends. Null when finished. */
  due_at: NullableColumn<Date>;
  /** Names one claim; only its holder may record an outcome. */
  lease: NullableColumn<string>;
  created_at: Immutable<Date>;
  finished_at: NullableColumn<Date>;
};

export type DeliveryAttemptsTable = {
  delivery_id: Immutable<string>;
  /** From 1. */
  number: Immutable<number>;
  started_at: Immutable<Date>;
  duration_ms: Immutable<number>;
  outcome: Immutable<string>;
  http_status: NullableColumn<number>;
  /** At most 1 KiB of the answer, as text. */
  response_start: NullableColumn<string>;
  is_manual: Immutable<boolean>;
};
