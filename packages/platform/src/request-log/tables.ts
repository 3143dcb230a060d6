import type { Derived, Immutable } from "@gateway/database";

/** The tables that only this service reads and writes. */
export type RequestLogTables = {
  request_logs: RequestLogsTable;
  usage_minutes: UsageTable;
  usage_hours: UsageTable;
  usage_peaks: UsagePeaksTable;
  request_log_writers: RequestLogWritersTable;
  request_log_gaps: RequestLogGapsTable;
};

/** One row a request, or several refused by the limit that are alike. Never changes. */
export type RequestLogsTable = {
  /** Has the time at which it came. */
  id: Immutable<string>;
  account_id: Immutable<string>;
  method: Immutable<string>;
  /** See `trimPath` of the gateway: what may be a secret is cut out of it before it comes here. */
  path: Immutable<string>;
  /** Parameters that the document knows, as the validator took them. */
  query: Immutable<string | null>;
  operation_id: Immutable<string | null>;
  status: Immutable<number>;
  code: Immutable<string | null>;
  duration_us: Immutable<number>;
  caller_kind: Immutable<"apiKey" | "application" | "person">;
  /** Of the API key, of the application, or, at the console, of the person. */
  caller_id: Immutable<string>;
  person_id: Immutable<string | null>;
  source: Immutable<"api" | "console">;
  is_replayed: Immutable<boolean>;
  /** False when the caller had gone. */
  is_answered: Immutable<boolean>;
  /** How many more there were that are alike. */
  repeats: Immutable<number>;
  /** JSON: fields and the rules that they broke. */
  details: Immutable<string | null>;
  rate_limit: Immutable<number | null>;
  rate_remaining: Immutable<number | null>;
  rate_resets_at: Immutable<Date | null>;
  request_bytes: Immutable<number | null>;
  response_bytes: Immutable<number | null>;
  user_agent: Immutable<string | null>;
  /** Given when somebody follows: see `giveNumbers`. */
  follow_epoch: Derived<number | null>;
  follow_number: Derived<string | null>;
};

/** How many there were in the minute or hour that begins `at`; `took_0` to `took_23`: how long they took. */
export type UsageTable = {
  account_id: Immutable<string>;
  at: Immutable<Date>;
  /** Empty: none was reached. */
  operation_id: Immutable<string>;
  status: Immutable<number>;
  /** Empty: none was refused. */
  code: Immutable<string>;
  /** Of an API key or an application. */
  caller_id: Immutable<string>;
  count: number;
  last_request_id: string;
};

/** The most requests in one minute of the hour that begins `at`; of hours whose minutes are gone. */
export type UsagePeaksTable = {
  account_id: Immutable<string>;
  at: Immutable<Date>;
  count: number;
};

/** One row a process that writes, for as long as it does; the row of one that was killed stays, and is a gap. */
export type RequestLogWritersTable = {
  id: Immutable<string>;
  /** The last that it wrote: none is written twice. */
  batch: number;
  /** All that began before is written. */
  complete_before: Date;
  /**
   * When it took what it wrote last. Later than `written_at`: until when it may have taken more, see `coverSilence`.
   */
  taken_at: Date;
  written_at: Date;
};

/** What could not be kept. */
export type RequestLogGapsTable = {
  id: Immutable<string>;
  /** Null: of whom is not known. */
  account_id: Immutable<string | null>;
  begins_at: Immutable<Date>;
  ends_at: Immutable<Date>;
  /** Null: how many is not known. */
  count: Immutable<number | null>;
};
