const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const DOT = 0x2e;
const LETTER_I = 0x69;
const LETTER_U = 0x75;
const MINUS = 0x2d;

/** Powers of ten that a double holds exactly. */
const POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
/** More bytes than these are a power of ten that a double does not hold exactly. */
const MAX_FAST_LENGTH = 22;

const FLOAT = /^-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const INTEGER = /^(-?)0*(\d{1,20})([iu])$/;
const MAX_INTEGER = { i: '9223372036854775807', u: '18446744073709551615' };
const MIN_INTEGER = '9223372036854775808';
const TRUE = new Set(['t', 'T', 'true', 'True', 'TRUE']);
const FALSE = new Set(['f', 'F', 'false', 'False', 'FALSE']);
/** No number that has a meaning is written with more bytes. */
const MAX_LENGTH = 1_100;

/** What the bytes from `start` up to `end` say: a number, or true and false as 1 and 0. NaN if they are none of these. */
export function fieldValue(bytes: Buffer, start: number, end: number): number {
  let at = start;
  const isNegative = bytes[at] === MINUS;
  if (isNegative) at += 1;
  const first = at;
  let digits = 0;
  let dot = -1;
  for (; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= DIGIT_0 && byte <= DIGIT_9) digits = digits * 10 + byte - DIGIT_0;
    else if (byte === DOT && dot === -1) dot = at;
    else break;
  }
  if (digits > Number.MAX_SAFE_INTEGER || at - first > MAX_FAST_LENGTH || at === first)
    return slowValue(bytes, start, end);
  if (at === end) {
    if (dot === -1) return isNegative ? -digits : digits;
    // Both are exact, so that the quotient is rounded once, as the nearest double is.
    const value = digits / (POWERS[end - dot - 1] as number);
    if (at - first === 1) return Number.NaN;
    return isNegative ? -value : value;
  }
  if (at === end - 1 && dot === -1) {
    if (bytes[at] === LETTER_I) return isNegative ? -digits : digits;
    if (bytes[at] === LETTER_U && !isNegative) return digits;
  }
  return slowValue(bytes, start, end);
}

function slowValue(bytes: Buffer, start: number, end: number): number {
  if (end - start > MAX_LENGTH) return Number.NaN;
  const text = bytes.toString('latin1', start, end);
  if (TRUE.has(text)) return 1;
  if (FALSE.has(text)) return 0;
  if (FLOAT.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : Number.NaN;
  }
  const [, sign, digits, suffix] = INTEGER.exec(text) ?? [];
  if (digits === undefined) return Number.NaN;
  if (suffix === 'u' && sign === '-') return Number.NaN;
  const max = sign === '-' ? MIN_INTEGER : MAX_INTEGER[suffix as 'i' | 'u'];
  if (digits.length > max.length || (digits.length === max.length && digits > max)) return Number.NaN;
  return Number(`${sign}${digits}`);
}
