import { timeOfId } from "@gateway/kernel";
import type { LoggedRequest } from "./logged-request.ts";
import { createMinuteCounts, type MinuteCount } from "./minute-counts.ts";

/** The numbers of these types in `pg_type`, the same in every Postgres. */
const [bool, int2, int4, text, float8] = [16, 21, 23, 25, 701] as const;

type Column = [name: string, type: number, of: (request: LoggedRequest) => string | number | boolean | null];

/** The fields of the type `logged_request`, in its order. */
const columns: readonly Column[] = [
  ["id", text, ({ id }) => id],
  ["account_id", text, ({ accountId }) => accountId],
  ["method", text, ({ method }) => method],
  ["path", text, ({ path }) => path],
  ["query", text, ({ query }) => query],
  ["operation_id", text, ({ operationId }) => operationId],
  ["status", int2, ({ status }) => status],
  ["code", text, ({ code }) => code],
  ["duration_us", int4, ({ durationMs }) => Math.min(maxInteger, Math.round(durationMs * 1000))],
  ["caller_kind", text, ({ caller }) => caller.kind],
  ["caller_id", text, ({ caller }) => caller.id],
  ["person_id", text, ({ caller }) => caller.personId],
  ["source", text, ({ source }) => source],
  ["is_replayed", bool, ({ isReplayed }) => isReplayed],
  ["is_answered", bool, ({ isAnswered }) => isAnswered],
  ["repeats", int4, () => 0],
  ["details", text, ({ details }) => details],
  ["rate_limit", int4, ({ rateLimit }) => rateLimit && rateLimit.limit],
  ["rate_remaining", int4, ({ rateLimit }) => rateLimit && rateLimit.remaining],
  // Seconds since 1970, whose meaning does not depend on the session's settings.
  ["rate_resets_at", float8, ({ rateLimit }) => rateLimit && rateLimit.resetsAtMs / 1000],
  ["request_bytes", int4, ({ requestBytes }) => requestBytes],
  ["response_bytes", int4, ({ responseBytes }) => responseBytes],
  ["user_agent", text, ({ userAgent }) => userAgent],
];

export const logColumns = columns.map(([name]) => name);

/** Dimensions, a flag, the type of the elements, their number, and the first index: four bytes each. */
const headBytes = 20;
/** Bytes of a row, of its fields, of its numbers, and of the ids and names that we choose. */
const rowBytes = 8 + 8 * columns.length + 48 + 1_024;
/** No character of a string takes more than three bytes in UTF-8. */
const bytesOfCharacter = 3;
const lengthOfNull = -1;
const mostAscii = 0x7f;
const maxInteger = 2_147_483_647;

/**
 * Requests as they are written: rows in the form in which Postgres reads an array of records (`array_recv`,
 * `record_recv`), and their counts. Only these bytes remain of a request. Objects that wait a quarter of a second
 * outlive the young generation, and moving them cost more than the rest of the log (ADR 61).
 */
export class PackedRequests {
  /** Number of all requests, including those that share a row. */
  size = 0;
  /** When the earliest of them came, in ms since 1970; Infinity without requests. */
  startedFirstMs = Infinity;
  /** When the first added request had its response; 0 without requests. */
  firstEndedMs = 0;
  #bytes = Buffer.alloc(16_384);
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  #end = headBytes;
  #rows = 0;
  readonly #counts = createMinuteCounts();
  /** Offsets of the repeat counters, by kind of refusal. */
  readonly #folded = new Map<string, number>();

  add(request: LoggedRequest): void {
    const startedMs = timeOfId(request.id);
    this.firstEndedMs ||= startedMs + request.durationMs;
    this.size += 1;
    this.startedFirstMs = Math.min(this.startedFirstMs, startedMs);
    this.#counts.add(request, startedMs);
    if (request.status !== 429) {
      this.#append(request);
    } else {
      this.#fold(request);
    }
  }

  counts(): MinuteCount[] {
    return this.#counts.all();
  }

  /** A `logged_request[]`. `elementType`: the number that the type has in this database. */
  binary(elementType: number): Buffer {
    [1, 0, elementType, this.#rows, 1].forEach((value, index) => this.#view.setInt32(4 * index, value));
    return this.#bytes.subarray(0, this.#end);
  }

  /** Keeps one row for alike refusals of the rate limit, because a caller that does not stop would fill the log. */
  #fold(request: LoggedRequest): void {
    const { accountId, method, path, caller, source, userAgent } = request;
    const key = `${accountId} ${method} ${path} ${caller.id} ${caller.personId} ${source} ${userAgent}`;
    const repeatsAt = this.#folded.get(key);
    if (repeatsAt === undefined) {
      this.#folded.set(key, this.#append(request));
    } else {
      this.#view.setInt32(repeatsAt, this.#view.getInt32(repeatsAt) + 1);
    }
  }

  /** Returns the offset of its repeat counter. */
  #append(request: LoggedRequest): number {
    this.#makeRoomFor(request);
    const start = this.#end;
    let repeatsAt = 0;
    this.#view.setInt32(start + 4, columns.length);
    this.#end += 8;
    for (const [name, type, of] of columns) {
      this.#put(type, of(request));
      repeatsAt = name === "repeats" ? this.#end - 4 : repeatsAt;
    }
    this.#view.setInt32(start, this.#end - start - 4);
    this.#rows += 1;
    return repeatsAt;
  }

  #makeRoomFor({ path, query, details, userAgent }: LoggedRequest): void {
    const free = [path, query, details, userAgent].reduce((sum, value) => sum + (value?.length ?? 0), 0);
    const needed = this.#end + rowBytes + bytesOfCharacter * free;
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer, larger.byteOffset, larger.length);
    }
  }

  #put(type: number, value: string | number | boolean | null): void {
    const start = this.#end + 8;
    const length = value === null ? lengthOfNull : this.#putValue(type, value, start);
    this.#view.setInt32(this.#end, type);
    this.#view.setInt32(this.#end + 4, length);
    this.#end = start + Math.max(0, length);
  }

  /** Returns the number of bytes. */
  #putValue(type: number, value: string | number | boolean, start: number): number {
    if (typeof value === "string") {
      return this.#putText(value, start);
    }
    switch (type) {
      case bool:
        this.#view.setInt8(start, Number(value));
        return 1;
      case int2:
        this.#view.setInt16(start, Number(value));
        return 2;
      case int4:
        this.#view.setInt32(start, Number(value));
        return 4;
      default:
        this.#view.setFloat64(start, Number(value));
        return 8;
    }
  }

  #putText(value: string, start: number): number {
    const bytes = this.#bytes;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > mostAscii) {
        return bytes.write(value, start, "utf8");
      }
      bytes[start + index] = code;
    }
    return value.length;
  }
}

export function packRequests(requests: readonly LoggedRequest[]): PackedRequests {
  const packed = new PackedRequests();
  requests.forEach((request) => packed.add(request));
  return packed;
}
