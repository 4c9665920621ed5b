export type Zone = 'local' | 'utc';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: Zone, locale: string): Intl.DateTimeFormat {
  const key = `${zone} ${locale}`;
  let format = formats.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
      ...(zone === 'utc' && { timeZone: 'UTC' }),
    });
    formats.set(key, format);
  }
  return format;
}

/**
 * Formatting takes some 50 µs, and a page shows the same seconds in many places. No more than a page shows are kept, each of some
 * hundred bytes, since every second may bring another.
 */
const MAX_KEPT = 250;
const kept = new Map<string, Record<string, string>>();

function partsOf(at: number, zone: Zone, locale: string): Record<string, string> {
  const key = `${zone} ${locale} ${Math.floor(at / 1_000)}`;
  let parts = kept.get(key);
  if (parts === undefined) {
    parts = Object.fromEntries(
      formatOf(zone, locale)
        .formatToParts(at)
        .flatMap(({ type, value }) => (type === 'literal' ? [] : [[type, value]])),
    );
    if (kept.size >= MAX_KEPT)
      for (const oldest of [...kept.keys()].slice(0, MAX_KEPT / 2)) kept.delete(oldest);
    kept.set(key, parts);
  }
  return parts;
}

/** Clocks are changed at full quarters of an hour. */
const QUARTER_MS = 900_000;

const NAMING_LOCALES = ['en-GB', 'en-US', 'en-AU'];

/** The name of the zone at that time: CET, EST, GMT+5:30. Each English locale has names for its own zones only. */
export function zoneName(at: number, zone: Zone): string {
  if (zone === 'utc') return 'UTC';
  const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  const nameIn = (locale: string) => partsOf(quarter, zone, locale)['timeZoneName'] ?? '';
  // A format takes some milliseconds to make: most zones need that of times alone.
  const locale = NAMING_LOCALES.find((each) => /^[A-Z]{2,5}$/.test(nameIn(each)));
  return nameIn(locale ?? 'en-GB');
}

/** A full time: 2026-11-26 03:12:40 CET. */
export function formatTime(at: number, zone: Zone): string {
  if (Number.isNaN(at)) return '–';
  return `${formatDate(at, zone)} ${formatClock(at, zone)} ${zoneName(at, zone)}`;
}

/** The date alone: 2026-11-26. */
export function formatDate(at: number, zone: Zone): string {
  const { year, month, day } = partsOf(at, zone, 'en-GB');
  return `${year?.padStart(4, '0')}-${month}-${day}`;
}

/** The time of day alone: 03:12:40. */
export function formatClock(at: number, zone: Zone): string {
  const { hour, minute, second } = partsOf(at, zone, 'en-GB');
  return `${hour}:${minute}:${second}`;
}

/** How long ago that was: "now", "12 s", "4 min", "3 h", "2 d". A time ahead of the clock by its tolerance is now. */
export function formatAge(at: number, now: number): string {
  if (Number.isNaN(at)) return '–';
  const seconds = Math.floor((now - at) / 1_000);
  if (seconds < -2) return `in ${ageOf(-seconds)}`;
  return seconds < 1 ? 'now' : ageOf(seconds);
}

function ageOf(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}
