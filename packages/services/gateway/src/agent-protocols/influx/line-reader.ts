import type { Rejection } from '../series/point-sink.ts';
import { fieldValue } from './field-value.ts';
import {
  BACKSLASH,
  CARRIAGE_RETURN,
  COMMA,
  EQUALS,
  endOfLine,
  HASH_SIGN,
  isEscapable,
  LINE_FEED,
  QUOTE,
  SPACE,
  TAB,
} from './line-bytes.ts';

/** The max size of a line in bytes, including texts with line feeds. */
export const MAX_LINE_BYTES = 1_048_576;
/** The max size of measurement and tags in bytes, as InfluxDB has it. */
export const MAX_KEY_BYTES = 65_535;
export const MAX_FIELDS = 10_000;

/** The max length of what is quoted of a faulty value, in bytes. */
const MAX_QUOTED = 40;

/**
 * Reads line protocol line by line: `next` moves to a line, whose parts are positions in the body until the following `next`. A
 * line with a `fault` counts for nothing else, and reading goes on behind it.
 */
export class LineReader {
  /** The number of the line, from 1. */
  line = 0;
  keyStart = 0;
  keyEnd = 0;
  /** Numeric fields: where their names begin and end, by turns, and their values. */
  readonly names: number[] = [];
  readonly values: number[] = [];
  /** How many numeric fields the line has. */
  fields = 0;
  /** How many fields are texts. */
  texts = 0;
  /** Where the time is; both are the same if the line has none. */
  timeStart = 0;
  timeEnd = 0;
  /** Why the line is refused, if it is. */
  fault: string | undefined;
  reason: Rejection = 'invalid_value';
  readonly #bytes: Buffer;
  #at = 0;
  #limit = 0;
  #feeds = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Moves to the next line, which has no fields if it is a comment. Returns false at the end of the body. */
  next(): boolean {
    const bytes = this.#bytes;
    this.#skipBlank();
    if (this.#at >= bytes.length) return false;
    this.line = this.#feeds + 1;
    this.fields = 0;
    this.texts = 0;
    this.fault = undefined;
    this.reason = 'invalid_value';
    if (bytes[this.#at] === HASH_SIGN) this.#at = endOfLine(bytes, this.#at, bytes.length);
    else {
      this.#limit = Math.min(bytes.length, this.#at + MAX_LINE_BYTES);
      if (this.#readKey() && this.#readFields()) this.#readTime();
      if (this.fault !== undefined) this.#at = endOfLine(bytes, this.#at, bytes.length);
    }
    return true;
  }

  /** Refuses the line. Returns false. */
  refuse(fault: string, reason: Rejection = 'invalid_value'): false {
    if (this.fault === undefined) {
      this.fault = fault;
      this.reason = reason;
    }
    return false;
  }

  #skipBlank(): void {
    const bytes = this.#bytes;
    for (; this.#at < bytes.length; this.#at += 1) {
      const byte = bytes[this.#at];
      if (byte === LINE_FEED) this.#feeds += 1;
      else if (byte !== SPACE && byte !== TAB && byte !== CARRIAGE_RETURN) return;
    }
  }

  #readKey(): boolean {
    const bytes = this.#bytes;
    const start = this.#at;
    const limit = Math.min(this.#limit, start + MAX_KEY_BYTES + 1);
    let at = start;
    while (at < limit) {
      const byte = bytes[at];
      if (byte === SPACE || byte === LINE_FEED) break;
      at += byte === BACKSLASH && isEscapable(bytes[at + 1]) ? 2 : 1;
    }
    this.keyStart = start;
    this.keyEnd = at;
    this.#at = Math.min(at, bytes.length);
    if (bytes[start] === COMMA) return this.refuse('the line has no measurement');
    if (at - start > MAX_KEY_BYTES)
      return this.refuse(`measurement and tags are longer than ${MAX_KEY_BYTES} bytes`);
    this.#skipSpaces();
    return this.#isAtEnd() ? this.refuse('the line has no fields') : true;
  }

  #readFields(): boolean {
    const bytes = this.#bytes;
    for (;;) {
      if (this.fields + this.texts >= MAX_FIELDS)
        return this.refuse(`the line has more than ${MAX_FIELDS} fields`);
      const start = this.#at;
      const end = this.#endOfFieldName();
      if (end === start) return this.refuse('a field has no name');
      this.#at = end;
      if (bytes[end] !== EQUALS || end >= this.#limit) return this.#refuseCut('a field has no value');
      this.#at += 1;
      if (bytes[this.#at] === QUOTE) {
        if (!this.#passText()) return false;
      } else this.#readNumber(start, end);
      if (this.#isAtEnd()) return this.fault === undefined;
      const byte = bytes[this.#at];
      if (byte === SPACE) return true;
      if (byte !== COMMA) return this.#refuseCut('a text is followed by neither a comma nor a space');
      this.#at += 1;
    }
  }

  #endOfFieldName(): number {
    const bytes = this.#bytes;
    const limit = this.#limit;
    let at = this.#at;
    while (at < limit) {
      const byte = bytes[at] as number;
      if (byte === EQUALS || byte === SPACE || byte === COMMA || byte === LINE_FEED) return at;
      at += byte === BACKSLASH && isEscapable(bytes[at + 1]) ? 2 : 1;
    }
    return Math.min(at, limit);
  }

  #readNumber(nameStart: number, nameEnd: number): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let at = start;
    while (at < this.#limit) {
      const byte = bytes[at] as number;
      if (byte === COMMA || byte <= SPACE) break;
      at += 1;
    }
    this.#at = at;
    const value = fieldValue(bytes, start, at);
    if (Number.isNaN(value)) {
      const field = bytes.toString('utf8', nameStart, Math.min(nameEnd, nameStart + MAX_QUOTED));
      const quoted = JSON.stringify(bytes.toString('utf8', start, Math.min(at, start + MAX_QUOTED)));
      this.refuse(`the value of the field ${JSON.stringify(field)} is no number, boolean or text: ${quoted}`);
    }
    this.names[2 * this.fields] = nameStart;
    this.names[2 * this.fields + 1] = nameEnd;
    this.values[this.fields] = value;
    this.fields += 1;
  }

  /** Moves behind a text in quotes, where a backslash before a byte is an escape. */
  #passText(): boolean {
    const bytes = this.#bytes;
    const { line } = this;
    let feeds = 0;
    for (let at = this.#at + 1; at < this.#limit; at += 1) {
      const byte = bytes[at];
      if (byte === QUOTE) {
        this.#at = at + 1;
        this.#feeds += feeds;
        this.texts += 1;
        return true;
      }
      if (byte === BACKSLASH && bytes[at + 1] !== LINE_FEED) at += 1;
      else if (byte === LINE_FEED) feeds += 1;
    }
    return this.refuse(`a quote of line ${line} is not closed`);
  }

  #readTime(): void {
    const bytes = this.#bytes;
    this.#skipSpaces();
    const start = this.#at;
    let at = start;
    while (at < this.#limit && (bytes[at] as number) > SPACE) at += 1;
    this.timeStart = start;
    this.timeEnd = at;
    this.#at = at;
    this.#skipSpaces();
    if (!this.#isAtEnd()) this.#refuseCut('the time is followed by something else');
  }

  #skipSpaces(): void {
    while (this.#bytes[this.#at] === SPACE) this.#at += 1;
  }

  /** Whether nothing of the line remains. */
  #isAtEnd(): boolean {
    const bytes = this.#bytes;
    const byte = bytes[this.#at];
    if (byte === LINE_FEED || byte === undefined) return true;
    if (byte !== CARRIAGE_RETURN) return false;
    const next = bytes[this.#at + 1];
    return next === LINE_FEED || next === undefined;
  }

  /** Refuses a line for the max size, if reading stopped for that, or else for `fault`. */
  #refuseCut(fault: string): false {
    return this.refuse(
      this.#at >= this.#limit && this.#limit < this.#bytes.length
        ? `the line is longer than ${MAX_LINE_BYTES} bytes`
        : fault,
    );
  }
}
