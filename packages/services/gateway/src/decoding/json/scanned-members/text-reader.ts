import { TextCache } from '@tidewatch/contracts/values/text-cache';
import { COLON, COMMA, type Cursor, OBJECT, OBJECT_END, QUOTE } from '../cursor.ts';

/** How many entries a map of texts may have; lengths are in characters. */
export interface MapBounds {
  entries: number;
  name: number;
  value: number;
}

/** Reads texts at the position of a cursor; those that occur repeatedly are allocated once. */
export class TextReader {
  readonly #cursor: Cursor;
  readonly #texts = new TextCache();

  constructor(cursor: Cursor) {
    this.#cursor = cursor;
  }

  /** Reads a text; null unless it is plain ASCII of `min` to `max` characters. */
  text(min: number, max: number): string | null {
    return this.#cursor.take(QUOTE) ? this.rest(min, max) : null;
  }

  /** Reads a text after its opening quote; null as with `text`. */
  rest(min: number, max: number): string | null {
    const cursor = this.#cursor;
    const start = cursor.at;
    const end = cursor.endOfText();
    if (end - start < min || end - start > max) return null;
    cursor.at = end + 1;
    return this.#texts.text(cursor.bytes, start, end);
  }

  /** Reads a colon and an object of texts; null unless it is within its bounds and names nothing twice. */
  map(bounds: MapBounds): Record<string, string> | null {
    const cursor = this.#cursor;
    const read: Record<string, string> = {};
    if (!cursor.take(COLON) || !cursor.take(OBJECT)) return null;
    if (cursor.take(OBJECT_END)) return read;
    let count = 0;
    do {
      const name = this.text(1, bounds.name);
      count += 1;
      if (name === null || name === '__proto__' || Object.hasOwn(read, name)) return null;
      const value = cursor.take(COLON) ? this.text(0, bounds.value) : null;
      if (value === null) return null;
      read[name] = value;
    } while (count < bounds.entries && cursor.take(COMMA));
    return cursor.take(OBJECT_END) ? read : null;
  }
}
