import { timeOfId } from "@gateway/kernel";
import type { LoggedRequest, LostRequests } from "./logged-request.ts";
import { createMinuteCounts, type MinuteCount } from "./minute-counts.ts";

/** The fields of the type `logged_request`, in its order, which `#append` follows. */
export const logColumns = [
  "id",
  "account_id",
  "method",
  "path",
  "query",
  "operation_id",
  "status",
  "code",
  "duration_us",
  "caller_kind",
  "caller_id",
  "person_id",
  "source",
  "is_replayed",
  "is_answered",
  "repeats",
  "details",
  "rate_limit",
  "rate_remaining",
  "rate_resets_at",
  "request_bytes",
  "response_bytes",
  "user_agent",
] as const;

/** Their numbers in `pg_type`, the same in every Postgres. */
const [bool, int2, int4, text, float8] = [16, 21, 23, 25, 701] as const;

/** Dimensions, a flag, the type of the elements, their number, and the first place: four bytes each. */
const headBytes = 20;
/** Of a row, of its fields, of its numbers, and of what are ids and names of ours. */
const rowBytes = 8 + 8 * logColumns.length + 48 + 1_024;
/** No character of a string becomes more than three bytes of UTF-8. */
const bytesOfCharacter = 3;
const lengthOfNull = -1;
const mostAscii = 0x7f;
const maxInteger = 2_147_483_647;

/**
 * Requests as they are written: rows in the form in which Postgres reads an array of records (`array_recv`,
 * `record_recv`), and what they count. A row is made when its request ends, and nothing is left of the request but
 * these bytes, one after another: objects that wait a quarter of a second outlive the young generation, and moving them
 * cost more than all else that is done for the log (ADR 61).
 */
export class PackedRequests {
  #bytes = Buffer.alloc(16_384);
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  #end = headBytes;
  #rows = 0;
  readonly #counts = createMinuteCounts();
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
    this.#counts.add(request, startedMs);
    if (request.status !== 429) {
      this.#append(request);
    } else {
      this.#fold(request);
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
    return this.#bytes.length;
  }

  counts(): MinuteCount[] {
    return this.#counts.all();
  }

  /**
   * A `logged_request[]`; it changes when more is added. `elementType`: the number that the type has in this database.
   */
  binary(elementType: number): Buffer {
    [1, 0, elementType, this.#rows, 1].forEach((value, index) => this.#view.setInt32(4 * index, value));
    return this.#bytes.subarray(0, this.#end);
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
    this.#end = headBytes;
    this.#rows = 0;
    this.#counts.clear();
    this.#folded.clear();
    this.#size = 0;
    this.#startedFirstMs = Infinity;
    this.#firstEndedMs = 0;
  }

  /**
   * Requests that the limit refused and that are alike become one row: a caller who does not stop would fill the log
   * with nothing else. The first of them stands for all.
   */
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

  /** Answers where its repeats are. */
  #append(request: LoggedRequest): number {
    const { caller, rateLimit } = request;
    this.#makeRoomFor(request);
    const start = this.#end;
    this.#view.setInt32(start + 4, logColumns.length);
    this.#end += 8;
    this.#putText(request.id);
    this.#putText(request.accountId);
    this.#putText(request.method);
    this.#putText(request.path);
    this.#putText(request.query);
    this.#putText(request.operationId);
    this.#putInt2(request.status);
    this.#putText(request.code);
    this.#putInt4(Math.min(maxInteger, Math.round(request.durationMs * 1000)));
    this.#putText(caller.kind);
    this.#putText(caller.id);
    this.#putText(caller.personId);
    this.#putText(request.source);
    this.#putBool(request.isReplayed);
    this.#putBool(request.isAnswered);
    this.#putInt4(0);
    const repeatsAt = this.#end - 4;
    this.#putText(request.details);
    this.#putInt4(rateLimit === null ? null : rateLimit.limit);
    this.#putInt4(rateLimit === null ? null : rateLimit.remaining);
    // Seconds since 1970, which no setting of a session reads otherwise.
    this.#putFloat8(rateLimit === null ? null : rateLimit.resetsAtMs / 1000);
    this.#putInt4(request.requestBytes);
    this.#putInt4(request.responseBytes);
    this.#putText(request.userAgent);
    this.#view.setInt32(start, this.#end - start - 4);
    this.#rows += 1;
    return repeatsAt;
  }

  #makeRoomFor({ path, query, details, userAgent }: LoggedRequest): void {
    const free = path.length + lengthOf(query) + lengthOf(details) + lengthOf(userAgent);
    const needed = this.#end + rowBytes + bytesOfCharacter * free;
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer, larger.byteOffset, larger.length);
    }
  }

  #putText(value: string | null): void {
    if (value === null) {
      this.#putHead(text, lengthOfNull);
      return;
    }
    const bytes = this.#bytes;
    const start = this.#end + 8;
    let length = value.length;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > mostAscii) {
        length = bytes.write(value, start, "utf8");
        break;
      }
      bytes[start + index] = code;
    }
    this.#putHead(text, length);
    this.#end += length;
  }

  #putInt4(value: number | null): void {
    if (value === null) {
      this.#putHead(int4, lengthOfNull);
      return;
    }
    this.#putHead(int4, 4);
    this.#view.setInt32(this.#end, value);
    this.#end += 4;
  }

  #putInt2(value: number): void {
    this.#putHead(int2, 2);
    this.#view.setInt16(this.#end, value);
    this.#end += 2;
  }

  #putFloat8(value: number | null): void {
    if (value === null) {
      this.#putHead(float8, lengthOfNull);
      return;
    }
    this.#putHead(float8, 8);
    this.#view.setFloat64(this.#end, value);
    this.#end += 8;
  }

  #putBool(value: boolean): void {
    this.#putHead(bool, 1);
    this.#view.setInt8(this.#end, value ? 1 : 0);
    this.#end += 1;
  }

  #putHead(type: number, length: number): void {
    this.#view.setInt32(this.#end, type);
    this.#view.setInt32(this.#end + 4, length);
    this.#end += 8;
  }

  *#readRows(): Generator<{ id: string; accountId: string; repeats: number }> {
    let at = headBytes;
    while (at < this.#end) {
      const end = at + 4 + this.#view.getInt32(at);
      const fields: Buffer[] = [];
      for (let field = at + 8; field < end;) {
        const start = field + 8;
        field = start + Math.max(0, this.#view.getInt32(field + 4));
        fields.push(this.#bytes.subarray(start, field));
      }
      const field = (name: (typeof logColumns)[number]): Buffer => fields[logColumns.indexOf(name)] ?? Buffer.alloc(0);
      yield {
        id: field("id").toString(),
        accountId: field("account_id").toString(),
        repeats: field("repeats").readInt32BE(),
      };
      at = end;
    }
  }
}

function lengthOf(value: string | null): number {
  return value === null ? 0 : value.length;
}

export function packRequests(requests: readonly LoggedRequest[]): PackedRequests {
  const packed = new PackedRequests();
  requests.forEach((request) => packed.add(request));
  return packed;
}
