const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;
const MINUS = 0x2d;
/** 2^63 - 1 has as many digits. */
const MAX_DIGITS = 19;
const MAX_INT64 = '9223372036854775807';

/** What a time in a line is counted in, by version of the interface: the values that its parameter `precision` may have. */
export const PRECISIONS = {
  1: ['n', 'ns', 'u', 'us', 'µ', 'ms', 's', 'm', 'h'],
  2: ['ns', 'us', 'ms', 's'],
} as const;

export type LinePrecision = (typeof PRECISIONS)[1 | 2][number];

interface Unit {
  /** Digits at the end that are below a millisecond. */
  fraction: number;
  /** Milliseconds in one, where it is at least one. */
  ms: number;
}

const UNITS: Record<LinePrecision, Unit> = {
  n: { fraction: 6, ms: 1 },
  ns: { fraction: 6, ms: 1 },
  u: { fraction: 3, ms: 1 },
  us: { fraction: 3, ms: 1 },
  µ: { fraction: 3, ms: 1 },
  ms: { fraction: 0, ms: 1 },
  s: { fraction: 0, ms: 1_000 },
  m: { fraction: 0, ms: 60_000 },
  h: { fraction: 0, ms: 3_600_000 },
};

/** The precision that a request names, where this version of the interface has it. */
export function precisionOf(version: 1 | 2, text: string): LinePrecision | undefined {
  return PRECISIONS[version].find((precision) => precision === text);
}

/**
 * Milliseconds since the epoch, rounded down, of the integer from `start` up to `end`; NaN if that is no integer of 64 bits. The
 * digits below a millisecond are not read into the number, so that no digit above is lost.
 */
export function lineTime(bytes: Buffer, start: number, end: number, precision: LinePrecision): number {
  const { fraction, ms } = UNITS[precision];
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  if (first === end || end - first > MAX_DIGITS) return Number.NaN;
  if (end - first === MAX_DIGITS && bytes.toString('latin1', first, end) > MAX_INT64) return Number.NaN;
  let whole = 0;
  let hasRest = false;
  for (let at = first; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < DIGIT_0 || byte > DIGIT_9) return Number.NaN;
    if (at < end - fraction) whole = whole * 10 + byte - DIGIT_0;
    else if (byte !== DIGIT_0) hasRest = true;
  }
  if (!isNegative) return whole * ms;
  return -whole * ms - (hasRest ? 1 : 0);
}
