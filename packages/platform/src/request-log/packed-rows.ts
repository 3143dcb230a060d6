/** Their numbers in `pg_type`, the same in every Postgres. */
const [bool, int2, int4, text, float8] = [16, 21, 23, 25, 701] as const;

/** Dimensions, a flag, the type of the elements, their number, and the first place: four bytes each. */
const headBytes = 20;
/** Of a row its length and its number of fields; of a field its type and its length. */
const rowHeadBytes = 8;
const fieldHeadBytes = 8;
/** No character of a string becomes more than three bytes of UTF-8. */
const bytesOfCharacter = 3;
const lengthOfNull = -1;
const mostAscii = 0x7f;
/** Below it characters are written one by one sooner than Node's own code is called. */
const shortText = 12;

/** Where something stands among the bytes. */
export type Place = { start: number; end: number };

/**
 * Rows in the form in which Postgres reads an array of records (`array_recv`, `record_recv`), one after another in one buffer, which grows. Each
 * `put` adds a field to the row that `begin` began.
 */
export class PackedRows {
  readonly #columns: number;
  #bytes = Buffer.alloc(16_384);
  #view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.length);
  #end = headBytes;
  #rowStart = headBytes;
  #rows = 0;

  constructor(columns: number) {
    this.#columns = columns;
  }

  /** Where the next field will stand. */
  get end(): number {
    return this.#end;
  }

  get memoryBytes(): number {
    return this.#bytes.length;
  }

  /** `characters`: those of all its texts, at most; `numberBytes`: of all else. */
  begin(characters: number, numberBytes: number): void {
    const fieldsBytes = fieldHeadBytes * this.#columns + numberBytes + bytesOfCharacter * characters;
    this.#makeRoomFor(rowHeadBytes + fieldsBytes);
    this.#rowStart = this.#end;
    this.#view.setInt32(this.#end + 4, this.#columns);
    this.#end += rowHeadBytes;
  }

  finish(): void {
    this.#view.setInt32(this.#rowStart, this.#end - this.#rowStart - 4);
    this.#rows += 1;
  }

  /** The same fields as somewhere before. */
  putAgain({ start, end }: Place): void {
    this.#bytes.copyWithin(this.#end, start, end);
    this.#end += end - start;
  }

  putText(value: string | null): void {
    if (value === null) {
      this.#putHead(text, lengthOfNull);
      return;
    }
    const start = this.#end + fieldHeadBytes;
    const length = this.#writeShort(value, start) ?? this.#bytes.write(value, start, "utf8");
    this.#putHead(text, length);
    this.#end += length;
  }

  putInt4(value: number | null): void {
    if (value === null) {
      this.#putHead(int4, lengthOfNull);
      return;
    }
    this.#putHead(int4, 4);
    this.#view.setInt32(this.#end, value);
    this.#end += 4;
  }

  putInt2(value: number): void {
    this.#putHead(int2, 2);
    this.#view.setInt16(this.#end, value);
    this.#end += 2;
  }

  putFloat8(value: number | null): void {
    if (value === null) {
      this.#putHead(float8, lengthOfNull);
      return;
    }
    this.#putHead(float8, 8);
    this.#view.setFloat64(this.#end, value);
    this.#end += 8;
  }

  putBool(value: boolean): void {
    this.#putHead(bool, 1);
    this.#view.setInt8(this.#end, value ? 1 : 0);
    this.#end += 1;
  }

  /** `at`: where an `int4` field that is not null begins. */
  addToInt4(at: number, more: number): void {
    const valueAt = at + fieldHeadBytes;
    this.#view.setInt32(valueAt, this.#view.getInt32(valueAt) + more);
  }

  /** It changes when more is added. `elementType`: the number that the type of the rows has in this database. */
  binary(elementType: number): Buffer {
    [1, 0, elementType, this.#rows, 1].forEach((value, index) => this.#view.setInt32(4 * index, value));
    return this.#bytes.subarray(0, this.#end);
  }

  /** Empty, in the same memory. */
  clear(): void {
    this.#end = headBytes;
    this.#rows = 0;
  }

  /** The bytes of each row's fields; none of a field that is null. */
  *read(): Generator<Buffer[]> {
    let at = headBytes;
    while (at < this.#end) {
      const end = at + 4 + this.#view.getInt32(at);
      const fields: Buffer[] = [];
      for (let field = at + rowHeadBytes; field < end;) {
        const start = field + fieldHeadBytes;
        field = start + Math.max(0, this.#view.getInt32(field + 4));
        fields.push(this.#bytes.subarray(start, field));
      }
      yield fields;
      at = end;
    }
  }

  #makeRoomFor(moreBytes: number): void {
    const needed = this.#end + moreBytes;
    if (needed > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(needed, 2 * this.#bytes.length));
      this.#bytes.copy(larger, 0, 0, this.#end);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer, larger.byteOffset, larger.length);
    }
  }

  #putHead(type: number, length: number): void {
    this.#view.setInt32(this.#end, type);
    this.#view.setInt32(this.#end + 4, length);
    this.#end += fieldHeadBytes;
  }

  /** How many bytes; null when it is not short, or not ASCII. */
  #writeShort(value: string, start: number): number | null {
    if (value.length >= shortText) {
      return null;
    }
    const bytes = this.#bytes;
    for (let index = 0; index < value.length; index += 1) {
      const code = value.charCodeAt(index);
      if (code > mostAscii) {
        return null;
      }
      bytes[start + index] = code;
    }
    return value.length;
  }
}
