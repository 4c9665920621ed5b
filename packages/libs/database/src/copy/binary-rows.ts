/** Milliseconds from the Unix epoch to PostgreSQL's, 2000-01-01. */
const POSTGRES_EPOCH = 946_684_800_000;
const TWO_32 = 4_294_967_296;
const SIGNATURE = [0x50, 0x47, 0x43, 0x4f, 0x50, 0x59, 0x0a, 0xff, 0x0d, 0x0a, 0x00, 0, 0, 0, 0, 0, 0, 0, 0];
/** What the columns after a text or bytea need at most. */
const ROW_REST_BYTES = 1_024;
const OID_INT4 = 23;
const OID_FLOAT8 = 701;
const OID_TIMESTAMPTZ = 1184;

/** The size of a piece, after which a COPY yields to the event loop: a few milliseconds of work. */
export const PIECE_BYTES = 1024 * 1024;

/** Rows in PostgreSQL's binary COPY format, in a reused buffer. */
export class BinaryRows {
  #bytes = new Uint8Array(64 * 1024);
  #view = new DataView(this.#bytes.buffer);
  #position = 0;

  constructor() {
    this.reset();
  }

  /** Starts with an empty buffer; the bytes that `finish` returned before must no longer be in use. */
  reset(): void {
    this.#bytes.set(SIGNATURE);
    this.#position = SIGNATURE.length;
  }

  /** Begins a row of `fields` columns that needs at most `bytes` beyond its texts. */
  row(fields: number, bytes: number): void {
    this.#reserve(bytes + 2);
    this.#view.setInt16(this.#position, fields);
    this.#position += 2;
  }

  /** A timestamptz from milliseconds since the epoch. */
  time(ms: number): void {
    this.#view.setInt32(this.#position, 8);
    this.#int64((ms - POSTGRES_EPOCH) * 1000, this.#position + 4);
    this.#position += 12;
  }

  int4(value: number): void {
    this.#view.setInt32(this.#position, 4);
    this.#view.setInt32(this.#position + 4, value);
    this.#position += 8;
  }

  /** A date from the milliseconds of its midnight UTC. */
  date(ms: number): void {
    this.int4((ms - POSTGRES_EPOCH) / 86_400_000);
  }

  /** A bytea, which need not be counted among the bytes of its row. */
  bytes(value: Uint8Array): void {
    this.#reserve(value.length + ROW_REST_BYTES);
    this.#view.setInt32(this.#position, value.length);
    this.#bytes.set(value, this.#position + 4);
    this.#position += 4 + value.length;
  }

  float8(value: number): void {
    this.#view.setInt32(this.#position, 8);
    this.#view.setFloat64(this.#position + 4, value);
    this.#position += 12;
  }

  null(): void {
    this.#view.setInt32(this.#position, -1);
    this.#position += 4;
  }

  /** Writes sixteen float8 columns from `values[offset …]`; NaN becomes null. */
  slots(values: Float64Array, offset: number): void {
    const view = this.#view;
    let position = this.#position;
    for (let index = offset; index < offset + 16; index++) {
      const value = values[index] as number;
      if (!Number.isNaN(value)) {
        view.setInt32(position, 8);
        view.setFloat64(position + 4, value);
        position += 12;
      } else {
        view.setInt32(position, -1);
        position += 4;
      }
    }
    this.#position = position;
  }

  /** Writes 16 values from `offset` on as float8[] (timestamptz[] if `times`); values that are not finite become null. */
  array(values: Float64Array, offset: number, times: boolean): void {
    const start = this.#position;
    this.#arrayHead(times ? OID_TIMESTAMPTZ : OID_FLOAT8, 16);
    this.#elements(values, offset, times);
    this.#view.setInt32(start, this.#position - start - 4);
  }

  /** The same for arrays of sixteen values one after the other, which need not be counted among the bytes of their row. */
  arrays(values: readonly Float64Array[], times: boolean): void {
    this.#reserve(values.length * 16 * 12 + ROW_REST_BYTES);
    const start = this.#position;
    this.#arrayHead(times ? OID_TIMESTAMPTZ : OID_FLOAT8, values.length * 16);
    for (const each of values) this.#elements(each, 0, times);
    this.#view.setInt32(start, this.#position - start - 4);
  }

  /** An int4[], which need not be counted among the bytes of its row. */
  int4s(values: readonly number[]): void {
    this.#reserve(values.length * 8 + ROW_REST_BYTES);
    const start = this.#position;
    this.#arrayHead(OID_INT4, values.length);
    for (const value of values) this.int4(value);
    this.#view.setInt32(start, this.#position - start - 4);
  }

  text(value: string): void {
    this.#encode(value, 0);
  }

  /** A jsonb from its text. */
  jsonb(json: string): void {
    this.#encode(json, 1);
  }

  /** Whether the buffer holds at least the bytes of one piece and should be sent. */
  get isFull(): boolean {
    return this.#position >= PIECE_BYTES;
  }

  /** Returns the bytes so far, which must be sent before the next row overwrites them. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#position);
    this.#position = 0;
    return taken;
  }

  /** Ends the rows and returns the bytes, which are valid until `reset`. */
  finish(): Uint8Array {
    this.#reserve(2);
    this.#view.setInt16(this.#position, -1);
    this.#position += 2;
    return this.#bytes.subarray(0, this.#position);
  }

  #encode(value: string, version: number): void {
    this.#reserve(value.length * 3 + 64);
    const start = this.#position + 4;
    if (version > 0) this.#view.setUint8(start, version);
    const { written } = encoder.encodeInto(value, this.#bytes.subarray(start + version));
    this.#view.setInt32(this.#position, written + version);
    this.#position = start + version + written;
    // Reserves the space again that `row` reserved for the columns after a text.
    this.#reserve(ROW_REST_BYTES);
  }

  /** The head of an array with one dimension, before which its length in bytes stands. */
  #arrayHead(type: number, length: number): void {
    const start = this.#position;
    const view = this.#view;
    view.setInt32(start + 4, 1);
    view.setInt32(start + 8, 1);
    view.setInt32(start + 12, type);
    view.setInt32(start + 16, length);
    view.setInt32(start + 20, 1);
    this.#position = start + 24;
  }

  #elements(values: Float64Array, offset: number, times: boolean): void {
    const view = this.#view;
    let position = this.#position;
    for (let index = offset; index < offset + 16; index++) {
      const value = values[index] as number;
      if (Number.isFinite(value)) {
        view.setInt32(position, 8);
        if (times) this.#int64((value - POSTGRES_EPOCH) * 1000, position + 4);
        else view.setFloat64(position + 4, value);
        position += 12;
      } else {
        view.setInt32(position, -1);
        position += 4;
      }
    }
    this.#position = position;
  }

  #int64(value: number, position: number): void {
    const whole = Math.round(value);
    const high = Math.floor(whole / TWO_32);
    this.#view.setInt32(position, high);
    this.#view.setUint32(position + 4, whole - high * TWO_32);
  }

  #reserve(bytes: number): void {
    const needed = this.#position + bytes;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#position));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

const encoder = new TextEncoder();
