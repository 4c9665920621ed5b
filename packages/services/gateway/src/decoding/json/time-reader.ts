import { parseTimestamp } from '@tidewatch/contracts/time/time';
import { COLON, DOT, ZERO } from './cursor.ts';

/** The length of `2026-11-21T14:36`. */
const MINUTE_LENGTH = 16;
const UTC = 90;

/** Reads times from bytes. Caches the last minute, since most times are of the same minute as the one before. */
export class TimeReader {
  readonly #minute = new Uint8Array(MINUTE_LENGTH);
  #minuteAt = Number.NaN;

  /** Parses an RFC 3339 text from `start` to `end` to milliseconds since the epoch; NaN if it is none. */
  read(bytes: Buffer, start: number, end: number): number {
    if (end - start > MINUTE_LENGTH && this.#isOfMinute(bytes, start)) {
      const time = this.#minuteAt + secondsOf(bytes, start + MINUTE_LENGTH, end);
      if (!Number.isNaN(time)) return time;
    }
    const text = bytes.toString('latin1', start, end);
    const time = parseTimestamp(text);
    if (time === undefined) return Number.NaN;
    this.#minuteAt = parseTimestamp(`${text.slice(0, MINUTE_LENGTH)}:00Z`) ?? Number.NaN;
    for (let index = 0; index < MINUTE_LENGTH; index += 1)
      this.#minute[index] = bytes[start + index] as number;
    return time;
  }

  /** Compares with the known minute from the end, where two times differ most often. */
  #isOfMinute(bytes: Uint8Array, start: number): boolean {
    for (let index = MINUTE_LENGTH - 1; index >= 0; index -= 1)
      if (bytes[start + index] !== this.#minute[index]) return false;
    return true;
  }
}

/** The milliseconds of `:28Z` or `:28.125Z`; NaN for anything else. */
function secondsOf(bytes: Uint8Array, at: number, end: number): number {
  const hasFraction = end - at === 8 && bytes[at + 3] === DOT;
  if (bytes[at] !== COLON || bytes[end - 1] !== UTC || (!hasFraction && end - at !== 4)) return Number.NaN;
  const second = digit(bytes, at + 1) * 10 + digit(bytes, at + 2);
  if (!(second < 60)) return Number.NaN;
  if (!hasFraction) return second * 1_000;
  return second * 1_000 + digit(bytes, at + 4) * 100 + digit(bytes, at + 5) * 10 + digit(bytes, at + 6);
}

function digit(bytes: Uint8Array, at: number): number {
  const value = (bytes[at] as number) - ZERO;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
