import { timeOfId } from "@gateway/kernel";
import type { LoggedRequest, LostRequests } from "./logged-request.ts";
import { countRequest, createMinuteCounts, startOfMinute, type MinuteCount } from "./minute-counts.ts";
import { PackedRows, type Place } from "./packed-rows.ts";

/** The fields of the type `request_to_log`, in its order, which `#append` follows: first what requests of one kind share. */
export const logColumns = [
  "account_id",
  "method",
  "operation_id",
  "status",
  "code",
  "caller_kind",
  "caller_id",
  "person_id",
  "source",
  "is_replayed",
  "is_answered",
  "rate_limit",
  "user_agent",
  "id",
  "path",
  "query",
  "duration_us",
  "repeats",
  "details",
  "rate_remaining",
  "rate_resets_at",
  "request_bytes",
  "response_bytes",
] as const;

/** Of a row's numbers, and of what are ids and names of ours. */
const numberBytes = 48;
const ownCharacters = 340;
const maxInteger = 2_147_483_647;
/** A caller who never asks for the same twice would be looked through for each request. */
const mostLookedAt = 8;

/** Requests of one caller that differ in their ids, paths and numbers alone. */
type Kind = {
  first: LoggedRequest;
  /** Null: they are not counted. */
  counted: MinuteCount | null;
  atMs: number;
  /** Where the row of the first has what they share; null until there is one. */
  shared: Place | null;
};

/**
 * Requests as they are written: rows in the form in which Postgres reads an array of records, and what they count. A row is made when its request
 * ends, and nothing is left of the request but these bytes, one after another: objects that wait a quarter of a second outlive the young
 * generation, and moving them cost more than all else that is done for the log. What requests of a kind share is copied from the first of
 * them, in one piece, and not written again (ADR 61).
 */
export class PackedRequests {
  readonly #rows = new PackedRows(logColumns.length);
  readonly #counts = createMinuteCounts();
  readonly #kinds = new Map<string, Kind[]>();
  /** Where refusals that are alike count their repeats. */
  readonly #folded = new Map<string, number>();
  #size = 0;
  #startedFirstMs = Infinity;
  #firstEndedMs = 0;

  add(request: LoggedRequest): void {
    const startedMs = timeOfId(request.id);
    if (this.#size === 0) {
      this.#firstEndedMs = startedMs + request.durationMs;
    }
    this.#size += 1;
    this.#startedFirstMs = Math.min(this.#startedFirstMs, startedMs);
    const kind = this.#kindOf(request, startOfMinute(startedMs));
    if (kind.counted) {
      countRequest(kind.counted, request);
    }
    if (request.status !== 429) {
      this.#append(kind, request);
    } else {
      this.#fold(kind, request);
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

  get memoryBytes(): number {
    return this.#rows.memoryBytes;
  }

  counts(): MinuteCount[] {
    return this.#counts.all();
  }

  /** A `request_to_log[]`; it changes when more is added. `elementType`: the number that the type has in this database. */
  binary(elementType: number): Buffer {
    return this.#rows.binary(elementType);
  }

  /** The ids of its rows. */
  ids(): string[] {
    return [...this.#readRows()].map(({ id }) => id);
  }

  /** By account, for when they cannot be written. */
  asLost(nowMs: number): LostRequests[] {
    const lost = new Map<string, LostRequests>();
    for (const { id, accountId, repeats } of this.#readRows()) {
      const known = lost.get(accountId) ?? { accountId, fromMs: Infinity, toMs: nowMs, count: 0 };
      known.fromMs = Math.min(known.fromMs, timeOfId(id));
      known.count += 1 + repeats;
      lost.set(accountId, known);
    }
    return [...lost.values()];
  }

  /** Empty, in the same memory. */
  clear(): void {
    this.#rows.clear();
    this.#counts.clear();
    this.#kinds.clear();
    this.#folded.clear();
    this.#size = 0;
    this.#startedFirstMs = Infinity;
    this.#firstEndedMs = 0;
  }

  #kindOf(request: LoggedRequest, atMs: number): Kind {
    const kinds = this.#kinds.get(request.caller.id);
    const known = kinds && findKind(kinds, request, atMs);
    if (known) {
      return known;
    }
    const kind = { first: request, counted: this.#counts.groupOf(request, atMs), atMs, shared: null };
    if (kinds) {
      kinds.push(kind);
    } else {
      this.#kinds.set(request.caller.id, [kind]);
    }
    return kind;
  }

  /**
   * Requests that the limit refused and that are alike become one row: a caller who does not stop would fill the log with nothing else. The
   * first of them stands for all.
   */
  #fold(kind: Kind, request: LoggedRequest): void {
    const { accountId, method, path, caller, source, userAgent } = request;
    const key = `${accountId} ${method} ${path} ${caller.id} ${caller.personId} ${source} ${userAgent}`;
    const repeatsAt = this.#folded.get(key);
    if (repeatsAt === undefined) {
      this.#folded.set(key, this.#append(kind, request));
    } else {
      this.#rows.addToInt4(repeatsAt, 1);
    }
  }

  /** Answers where its repeats are. */
  #append(kind: Kind, request: LoggedRequest): number {
    const rows = this.#rows;
    rows.begin(ownCharacters + freeCharacters(request), numberBytes);
    if (kind.shared) {
      rows.putAgain(kind.shared);
    } else {
      kind.shared = this.#putShared(request);
    }
    rows.putText(request.id);
    rows.putText(request.path);
    rows.putText(request.query);
    rows.putInt4(Math.min(maxInteger, Math.round(request.durationMs * 1000)));
    const repeatsAt = rows.end;
    rows.putInt4(0);
    rows.putText(request.details);
    const { rateLimit } = request;
    rows.putInt4(rateLimit === null ? null : rateLimit.remaining);
    // Seconds since 1970, which no setting of a session reads otherwise.
    rows.putFloat8(rateLimit === null ? null : rateLimit.resetsAtMs / 1000);
    rows.putInt4(request.requestBytes);
    rows.putInt4(request.responseBytes);
    rows.finish();
    return repeatsAt;
  }

  #putShared(request: LoggedRequest): Place {
    const rows = this.#rows;
    const { caller } = request;
    const start = rows.end;
    rows.putText(request.accountId);
    rows.putText(request.method);
    rows.putText(request.operationId);
    rows.putInt2(request.status);
    rows.putText(request.code);
    rows.putText(caller.kind);
    rows.putText(caller.id);
    rows.putText(caller.personId);
    rows.putText(request.source);
    rows.putBool(request.isReplayed);
    rows.putBool(request.isAnswered);
    rows.putInt4(limitOf(request));
    rows.putText(request.userAgent);
    return { start, end: rows.end };
  }

  *#readRows(): Generator<{ id: string; accountId: string; repeats: number }> {
    for (const fields of this.#rows.read()) {
      const field = (name: (typeof logColumns)[number]): Buffer => fields[logColumns.indexOf(name)] ?? Buffer.alloc(0);
      yield {
        id: field("id").toString(),
        accountId: field("account_id").toString(),
        repeats: field("repeats").readInt32BE(),
      };
    }
  }
}

/** The last first: who asks for one thing asks for it again. */
function findKind(kinds: readonly Kind[], request: LoggedRequest, atMs: number): Kind | undefined {
  const last = kinds.length - 1;
  for (let index = last; index >= 0 && index > last - mostLookedAt; index -= 1) {
    const kind = kinds[index];
    if (kind && kind.atMs === atMs && isAlike(kind.first, request)) {
      return kind;
    }
  }
  return undefined;
}

/** Of one caller. */
function isAlike(first: LoggedRequest, request: LoggedRequest): boolean {
  return (
    first.operationId === request.operationId &&
    first.status === request.status &&
    first.method === request.method &&
    first.code === request.code &&
    first.accountId === request.accountId &&
    first.caller.kind === request.caller.kind &&
    first.caller.personId === request.caller.personId &&
    first.source === request.source &&
    first.isReplayed === request.isReplayed &&
    first.isAnswered === request.isAnswered &&
    first.userAgent === request.userAgent &&
    limitOf(first) === limitOf(request)
  );
}

function limitOf({ rateLimit }: LoggedRequest): number | null {
  return rateLimit === null ? null : rateLimit.limit;
}

/** Of texts that are not ours. */
function freeCharacters({ path, query, details, userAgent }: LoggedRequest): number {
  return path.length + lengthOf(query) + lengthOf(details) + lengthOf(userAgent);
}

function lengthOf(value: string | null): number {
  return value === null ? 0 : value.length;
}

export function packRequests(requests: readonly LoggedRequest[]): PackedRequests {
  const packed = new PackedRequests();
  requests.forEach((request) => packed.add(request));
  return packed;
}
