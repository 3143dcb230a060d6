/** What the elements of an array are, by the number of their type in `pg_type`. */
const typeNumbers = { text: 25, int2: 21, int4: 23, float8: 701, bool: 16 } as const;

export type ElementType = keyof typeof typeNumbers;

/** Dimensions, a flag, the type, the length and the first place; `array_recv` reads four bytes of each. */
const headBytes = 20;
const lengthAt = 12;
const noValue = -1;
const mostAscii = 0x7f;

/**
 * One column of many rows, as Postgres reads an array in binary (`array_recv`): each element is its length and its bytes, highest first. Rows are
 * added as requests end, and nothing is left of them but these bytes: objects that wait a quarter of a second outlive the young
 * generation, and moving them cost more than all else that is done for the log (ADR 61).
 */
export class ArrayColumn {
  readonly type: ElementType;
  #bytes: Buffer;
  #end = headBytes;
  #count = 0;

  constructor(type: ElementType, sizeBytes = 1_024) {
    this.type = type;
    this.#bytes = Buffer.alloc(sizeBytes);
    this.#putInt32(0, 1);
    this.#putInt32(4, 1);
    this.#putInt32(8, typeNumbers[type]);
    this.#putInt32(16, 1);
  }

  addText(value: string | null): void {
    if (value === null) {
      this.#addNull();
      return;
    }
    // No character of a string becomes more than three bytes of UTF-8.
    this.#begin(3 * value.length);
    const bytes = this.#bytes;
    const start = this.#end + 4;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > mostAscii) {
        this.#finish(bytes.write(value, start, "utf8"));
        return;
      }
      bytes[start + index] = code;
    }
    this.#finish(value.length);
  }

  addInt4(value: number | null): void {
    if (value === null) {
      this.#addNull();
      return;
    }
    this.#begin(4);
    this.#putInt32(this.#end + 4, value);
    this.#finish(4);
  }

  addInt2(value: number): void {
    this.#begin(2);
    this.#bytes[this.#end + 4] = value >> 8;
    this.#bytes[this.#end + 5] = value;
    this.#finish(2);
  }

  addFloat8(value: number | null): void {
    if (value === null) {
      this.#addNull();
      return;
    }
    this.#begin(8);
    this.#bytes.writeDoubleBE(value, this.#end + 4);
    this.#finish(8);
  }

  addBool(value: boolean): void {
    this.#begin(1);
    this.#bytes[this.#end + 4] = value ? 1 : 0;
    this.#finish(1);
  }

  /** Of a column of whole numbers without null, so that each has its place. */
  increaseInt4(index: number): void {
    const at = headBytes + 8 * index + 4;
    this.#putInt32(at, this.#bytes.readInt32BE(at) + 1);
  }

  get memoryBytes(): number {
    return this.#bytes.length;
  }

  readInt4(index: number): number {
    return this.#bytes.readInt32BE(headBytes + 8 * index + 4);
  }

  /** What was added as text, in order. */
  *texts(): Generator<string | null> {
    let at = headBytes;
    while (at < this.#end) {
      const length = this.#bytes.readInt32BE(at);
      const start = at + 4;
      at = start + Math.max(0, length);
      yield length === noValue ? null : this.#bytes.toString("utf8", start, at);
    }
  }

  /** Whole; it changes when more is added. */
  binary(): Buffer {
    this.#putInt32(lengthAt, this.#count);
    return this.#bytes.subarray(0, this.#end);
  }

  /** As if nothing had been added, in the same memory. */
  clear(): void {
    this.#end = headBytes;
    this.#count = 0;
  }

  #addNull(): void {
    this.#begin(0);
    this.#finish(noValue);
  }

  #begin(mostBytes: number): void {
    const needed = this.#end + 4 + mostBytes;
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
    }
  }

  #finish(length: number): void {
    this.#putInt32(this.#end, length);
    this.#end += 4 + Math.max(0, length);
    this.#count += 1;
  }

  #putInt32(at: number, value: number): void {
    const bytes = this.#bytes;
    bytes[at] = value >>> 24;
    bytes[at + 1] = value >>> 16;
    bytes[at + 2] = value >>> 8;
    bytes[at + 3] = value;
  }
}
