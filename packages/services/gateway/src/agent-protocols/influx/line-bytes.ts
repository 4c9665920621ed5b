/** Bytes with a meaning in line protocol. */
export const TAB = 0x09;
export const LINE_FEED = 0x0a;
export const CARRIAGE_RETURN = 0x0d;
export const SPACE = 0x20;
export const QUOTE = 0x22;
export const HASH_SIGN = 0x23;
export const COMMA = 0x2c;
export const MINUS = 0x2d;
export const EQUALS = 0x3d;
export const BACKSLASH = 0x5c;

/** Whether a backslash before this byte is an escape; before any other byte, and at the end, it stands for itself. */
export function isEscapable(byte: number | undefined): boolean {
  return byte === COMMA || byte === SPACE || byte === EQUALS;
}

/** The end of the line that `at` is in: where its line feed is, or `end`. */
export function endOfLine(bytes: Buffer, at: number, end: number): number {
  const found = bytes.indexOf(LINE_FEED, at);
  return found === -1 || found > end ? end : found;
}
