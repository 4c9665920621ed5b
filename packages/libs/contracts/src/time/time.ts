import { DAY_MS, MINUTE_MS } from './duration.ts';

// The number of days before each month of a common year, by month number 1 to 12.
const DAYS_BEFORE_MONTH = [0, 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
const DAYS_IN_MONTH = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const DAYS_TO_EPOCH = 719_528;
const MAX_TIMESTAMP = 64;

const DASH = 45;
const COLON = 58;
const DOT = 46;
const PLUS = 43;

const YEAR_10000_MS = 253_402_300_800_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, value) => String(value).padStart(2, '0'));
const THREE_DIGITS = Array.from({ length: 1_000 }, (_, value) => String(value).padStart(3, '0'));
let lastDay = Number.NaN;
let lastDate = '';

/**
 * The RFC 3339 text of `ms` since the epoch, in UTC with milliseconds and `Z`. Throws RangeError if there is none. Caches
 * the date, because the times of a page are mostly of one day.
 */
export function toIso(ms: number): string {
  if (!(ms >= 0 && ms < YEAR_10000_MS)) return new Date(ms).toISOString();
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay) {
    lastDate = new Date(day * DAY_MS).toISOString().slice(0, 11);
    lastDay = day;
  }
  const rest = Math.trunc(ms - day * DAY_MS);
  const seconds = Math.trunc(rest / 1_000);
  const minutes = Math.trunc(seconds / 60);
  const hours = Math.trunc(minutes / 60);
  const time = `${TWO_DIGITS[hours]}:${TWO_DIGITS[minutes - hours * 60]}:${TWO_DIGITS[seconds - minutes * 60]}`;
  return `${lastDate}${time}.${THREE_DIGITS[rest - seconds * 1_000]}Z`;
}

/**
 * Parses an RFC 3339 date-time to ms since the epoch; undefined for other texts. Without an offset the time is UTC;
 * fractions below a millisecond are cut off; dates alone, leap seconds and days that do not exist are refused. Years are
 * 0000 to 9999.
 */
export function parseTimestamp(text: string): number | undefined {
  const length = text.length;
  if (length < 19 || length > MAX_TIMESTAMP) return undefined;
  if (text.charCodeAt(4) !== DASH || text.charCodeAt(7) !== DASH) return undefined;
  if (text.charCodeAt(13) !== COLON || text.charCodeAt(16) !== COLON) return undefined;
  const separator = text.charCodeAt(10);
  if (separator !== 84 && separator !== 116 && separator !== 32) return undefined;

  const century = twoDigits(text, 0);
  const yearOfCentury = twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (century < 0 || yearOfCentury < 0 || hour < 0 || minute < 0 || second < 0) return undefined;
  if (month < 1 || month > 12 || hour > 23 || minute > 59 || second > 59) return undefined;
  const year = century * 100 + yearOfCentury;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const monthLength = (DAYS_IN_MONTH[month] as number) + (leap && month === 2 ? 1 : 0);
  if (day < 1 || day > monthLength) return undefined;

  let position = 19;
  let milliseconds = 0;
  if (position < length && text.charCodeAt(position) === DOT) {
    let weight = 100;
    let digit = digitAt(text, ++position);
    if (digit < 0) return undefined;
    while (digit >= 0) {
      milliseconds += digit * weight;
      weight = weight > 1 ? weight / 10 : 0;
      digit = digitAt(text, ++position);
    }
  }
  const offset = offsetMinutes(text, position);
  if (offset === undefined) return undefined;

  const before = year - 1;
  const leapDays =
    year === 0 ? 0 : 1 + Math.floor(before / 4) - Math.floor(before / 100) + Math.floor(before / 400);
  const dayOfYear = (DAYS_BEFORE_MONTH[month] as number) + (leap && month > 2 ? 1 : 0) + day - 1;
  const days = year * 365 + leapDays + dayOfYear - DAYS_TO_EPOCH;
  return ((days * 24 + hour) * 60 + minute - offset) * MINUTE_MS + second * 1_000 + milliseconds;
}

/** The offset from UTC in minutes at the end of `text` from `position` on; undefined if it is malformed. */
function offsetMinutes(text: string, position: number): number | undefined {
  if (position === text.length) return 0;
  const sign = text.charCodeAt(position);
  if (sign === 90 || sign === 122) return position + 1 === text.length ? 0 : undefined;
  if (sign !== PLUS && sign !== DASH) return undefined;
  if (text.length !== position + 6 || text.charCodeAt(position + 3) !== COLON) return undefined;
  const hours = twoDigits(text, position + 1);
  const minutes = twoDigits(text, position + 4);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return undefined;
  return (sign === PLUS ? 1 : -1) * (hours * 60 + minutes);
}

function digitAt(text: string, position: number): number {
  const digit = text.charCodeAt(position) - 48;
  return digit >= 0 && digit <= 9 ? digit : -1;
}

function twoDigits(text: string, position: number): number {
  const tens = digitAt(text, position);
  const ones = digitAt(text, position + 1);
  return tens < 0 || ones < 0 ? -1 : tens * 10 + ones;
}
