import { InvalidArgumentError } from '@commander-js/extra-typings';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: HOUR_MS,
  d: DAY_MS,
  w: 604_800_000,
};

/** Parses a duration such as `90s`, `2h` or `1d12h` into milliseconds. */
export function parseDuration(text: string): number {
  if (!/^(?:\d{1,6}[smhdw])+$/.test(text))
    throw new InvalidArgumentError(
      'Expected a duration with the units s, m, h, d or w, such as 30m, 2h or 1d12h.',
    );
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)([smhdw])/g))
    ms += Number(count) * (UNITS[unit] ?? 0);
  return ms;
}

/** Converts a duration to the RFC 3339 time that is as far after or before `now`. Any other text is returned unchanged. */
export function readTime(text: string, now: number, direction: 'past' | 'future'): string {
  if (/^(?:\d{1,6}[smhdw])+$/.test(text)) {
    const ms = parseDuration(text);
    return new Date(direction === 'past' ? now - ms : now + ms).toISOString();
  }
  return text;
}

/** Parses `region=eu-1` or `region:eu-1`, divided at the first `=` or `:` without a backslash before it. */
export function parseAssignment(text: string): [name: string, value: string] {
  const found = /^((?:\\.|[^\\=:])+)[=:](.*)$/s.exec(text);
  if (found === null)
    throw new InvalidArgumentError('Expected NAME=VALUE; escape = and : in a name as \\= and \\:.');
  const [, name = '', value = ''] = found;
  return [name.replace(/\\([\\=:])/g, '$1'), value];
}

/** A name and a value as filters of the API take them, `name:value` with a backslash before a colon of the name. */
export function nameValue([name, value]: readonly [name: string, value: string]): string {
  return `${name.replace(/[\\:"]/g, '\\$&')}:${value}`;
}

/** Collects the values of a repeatable option. */
export function collect<T>(parse: (text: string) => T) {
  return (text: string, earlier: T[] | undefined): T[] => [...(earlier ?? []), parse(text)];
}

type Given<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

/** The fields of a request that were given: without those that are undefined or an empty text. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  ) as Given<T>;
}

export const text = (value: string): string => value;

/** Parses a comma-separated list of numbers. */
export function parseNumbers(value: string): number[] {
  return value.split(',').map(parseNumber);
}

export function parseNumber(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number))
    throw new InvalidArgumentError('Expected a finite number, such as 90 or 0.5.');
  return number;
}

/** Parses a whole number from 1 to `max`. */
export function parseCountOf(max: number) {
  return (value: string): number => {
    const count = parseNumber(value);
    if (Number.isInteger(count) && count >= 1 && count <= max) return count;
    throw new InvalidArgumentError(`Expected a whole number from 1 to ${max}.`);
  };
}

/** Parses the page size of a list; the API allows at most 100. */
export const parseCount = parseCountOf(100);
