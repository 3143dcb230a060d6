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

/** One row for each request, or for several alike ones refused by the limit. Never changes. */
export type RequestLogsTable = {
  /** Contains the time at which the request came. */
  id: Immutable<string>;
  account_id: Immutable<string>;
  method: Immutable<string>;
  /** See `trimPath` of the gateway, which removes possible secrets before. */
  path: Immutable<string>;
  /** Parameters that the document knows, as the validator accepted them. */
  query: Immutable<string | null>;
  operation_id: Immutable<string | null>;
  status: Immutable<number>;
  code: Immutable<string | null>;
  duration_us: Immutable<number>;
  caller_kind: Immutable<"apiKey" | "application" | "person">;
  /** Id of the API key, of the application, or, at the console, of the person. */
  caller_id: Immutable<string>;
  person_id: Immutable<string | null>;
  source: Immutable<"api" | "console">;
  is_replayed: Immutable<boolean>;
  /** False when the caller had disconnected. */
  is_answered: Immutable<boolean>;
  /** How many more alike requests there were. */
  repeats: Immutable<number>;
  /** JSON: fields and the rules that they broke. */
  details: Immutable<string | null>;
  rate_limit: Immutable<number | null>;
  rate_remaining: Immutable<number | null>;
  rate_resets_at: Immutable<Date | null>;
  request_bytes: Immutable<number | null>;
  response_bytes: Immutable<number | null>;
  user_agent: Immutable<string | null>;
  /** Given when an account is followed: see `giveNumbers`. */
  follow_epoch: Derived<number | null>;
  follow_number: Derived<string | null>;
};

/** Requests in the minute or hour that begins `at`, and in `took_0` to `took_23` how many by duration. */
type UsageTable = {
  account_id: Immutable<string>;
  at: Immutable<Date>;
  /** Empty: no operation was reached. */
  operation_id: Immutable<string>;
  status: Immutable<number>;
  /** Empty: the request was not refused. */
  code: Immutable<string>;
  /** Id of an API key or an application. */
  caller_id: Immutable<string>;
  count: number;
  last_request_id: string;
};

/** The most requests in one minute of the hour that begins `at`. Only for hours whose minutes are deleted. */
type UsagePeaksTable = {
  account_id: Immutable<string>;
  at: Immutable<Date>;
  count: number;
};

/** One row for each writing process, as long as it writes. The row of a killed process stays, and is a gap. */
type RequestLogWritersTable = {
  id: Immutable<string>;
  /** Its last written batch: none is written twice. */
  batch: number;
  /** Every request that began before is written. */
  complete_before: Date;
  /** When it took its last written batch; later than `written_at` after `coverSilence` moved it. */
  taken_at: Date;
  written_at: Date;
};

/** Requests that could not be kept. */
type RequestLogGapsTable = {
  id: Immutable<string>;
  /** Null: unknown. */
  account_id: Immutable<string | null>;
  begins_at: Immutable<Date>;
  ends_at: Immutable<Date>;
  /** Null: unknown. */
  count: Immutable<number | null>;
};
