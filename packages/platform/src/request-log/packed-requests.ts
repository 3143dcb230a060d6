import { timeOfId } from "@gateway/kernel";
import { ArrayColumn } from "./array-column.ts";
import { createMinuteCounts, type MinuteCounts } from "./minute-counts.ts";
import type { LoggedRequest, LostRequests } from "./logged-request.ts";

const maxInteger = 2_147_483_647;

/** By the names of the table. */
function createColumns() {
  return {
    id: new ArrayColumn("text"),
    account_id: new ArrayColumn("text"),
    method: new ArrayColumn("text"),
    path: new ArrayColumn("text"),
    query: new ArrayColumn("text"),
    operation_id: new ArrayColumn("text"),
    status: new ArrayColumn("int2"),
    code: new ArrayColumn("text"),
    duration_us: new ArrayColumn("int4"),
    caller_kind: new ArrayColumn("text"),
    caller_id: new ArrayColumn("text"),
    person_id: new ArrayColumn("text"),
    source: new ArrayColumn("text"),
    is_replayed: new ArrayColumn("bool"),
    is_answered: new ArrayColumn("bool"),
    repeats: new ArrayColumn("int4"),
    details: new ArrayColumn("text"),
    rate_limit: new ArrayColumn("int4"),
    rate_remaining: new ArrayColumn("int4"),
    // Seconds since 1970, which no setting of a session reads otherwise.
    rate_resets_at: new ArrayColumn("float8"),
    request_bytes: new ArrayColumn("int4"),
    response_bytes: new ArrayColumn("int4"),
    user_agent: new ArrayColumn("text"),
  };
}

/** Each column and what its array is of, in the order of `PackedRequests.binaries`. */
export const logColumns = Object.entries(createColumns()).map(([name, { type }]) => [name, type] as const);

/** Requests as they are written: rows in the form that Postgres takes, and what they count. Nothing holds on to the requests themselves. */
export class PackedRequests {
  readonly #columns = createColumns();
  readonly #counts = createMinuteCounts();
  /** The row of refusals that are alike. */
  readonly #folded = new Map<string, number>();
  #size = 0;
  #rows = 0;
  #startedFirstMs = Infinity;
  #firstEndedMs = 0;

  add(request: LoggedRequest): void {
    const startedMs = timeOfId(request.id);
    if (this.#size === 0) {
      this.#firstEndedMs = startedMs + request.durationMs;
    }
    this.#size += 1;
    this.#startedFirstMs = Math.min(this.#startedFirstMs, startedMs);
    this.#counts.add(request, startedMs);
    if (request.status !== 429 || !this.#isFolded(request)) {
      this.#append(request);
      this.#rows += 1;
    }
  }

  /** Of all requests, those that share a row counted. */
  get size(): number {
    return this.#size;
  }

  /** When the earliest of them came, in ms since 1970; Infinity of none. */
  get startedFirstMs(): number {
    return this.#startedFirstMs;
  }

  /** When the first that was added had its answer; 0 of none. */
  get firstEndedMs(): number {
    return this.#firstEndedMs;
  }

  get counts(): Pick<MinuteCounts, "binaries"> {
    return this.#counts;
  }

  get memoryBytes(): number {
    return Object.values(this.#columns).reduce((sum, column) => sum + column.memoryBytes, 0);
  }

  /** In the order of `logColumns`. */
  binaries(): Buffer[] {
    return Object.values(this.#columns).map((column) => column.binary());
  }

  /** The ids of its rows. */
  ids(): string[] {
    // No id is null.
    return [...this.#columns.id.texts()].map(String);
  }

  /** By account, for when they cannot be written. */
  asLost(nowMs: number): LostRequests[] {
    const ids = this.ids();
    const lost = new Map<string | null, LostRequests>();
    for (const [row, accountId] of [...this.#columns.account_id.texts()].entries()) {
      const known = lost.get(accountId) ?? { accountId, fromMs: Infinity, toMs: nowMs, count: 0 };
      known.fromMs = Math.min(known.fromMs, timeOfId(ids[row] ?? ""));
      known.count += 1 + this.#columns.repeats.readInt4(row);
      lost.set(accountId, known);
    }
    return [...lost.values()];
  }

  /** Empty, in the same memory. */
  clear(): void {
    Object.values(this.#columns).forEach((column) => column.clear());
    this.#counts.clear();
    this.#folded.clear();
    this.#size = 0;
    this.#rows = 0;
    this.#startedFirstMs = Infinity;
    this.#firstEndedMs = 0;
  }

  /**
   * Requests that the limit refused and that are alike become one row: a caller who does not stop would fill the log with nothing else. The
   * first of them stands for all.
   */
  #isFolded({ accountId, method, path, caller, source, userAgent }: LoggedRequest): boolean {
    const key = `${accountId} ${method} ${path} ${caller.id} ${caller.personId} ${source} ${userAgent}`;
    const row = this.#folded.get(key);
    if (row === undefined) {
      this.#folded.set(key, this.#rows);
      return false;
    }
    this.#columns.repeats.increaseInt4(row);
    return true;
  }

  #append(request: LoggedRequest): void {
    const columns = this.#columns;
    const { caller, rateLimit } = request;
    columns.id.addText(request.id);
    columns.account_id.addText(request.accountId);
    columns.method.addText(request.method);
    columns.path.addText(request.path);
    columns.query.addText(request.query);
    columns.operation_id.addText(request.operationId);
    columns.status.addInt2(request.status);
    columns.code.addText(request.code);
    columns.duration_us.addInt4(Math.min(maxInteger, Math.round(request.durationMs * 1000)));
    columns.caller_kind.addText(caller.kind);
    columns.caller_id.addText(caller.id);
    columns.person_id.addText(caller.personId);
    columns.source.addText(request.source);
    columns.is_replayed.addBool(request.isReplayed);
    columns.is_answered.addBool(request.isAnswered);
    columns.repeats.addInt4(0);
    columns.details.addText(request.details);
    columns.rate_limit.addInt4(rateLimit === null ? null : rateLimit.limit);
    columns.rate_remaining.addInt4(rateLimit === null ? null : rateLimit.remaining);
    columns.rate_resets_at.addFloat8(rateLimit === null ? null : rateLimit.resetsAtMs / 1000);
    columns.request_bytes.addInt4(request.requestBytes);
    columns.response_bytes.addInt4(request.responseBytes);
    columns.user_agent.addText(request.userAgent);
  }
}

export function packRequests(requests: readonly LoggedRequest[]): PackedRequests {
  const packed = new PackedRequests();
  requests.forEach((request) => packed.add(request));
  return packed;
}
