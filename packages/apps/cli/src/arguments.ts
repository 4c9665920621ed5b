import { InvalidArgumentError } from '@commander-js/extra-typings';

const UNITS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** A duration such as `90s`, `2h` or `1d12h`, in milliseconds. */
export function parseDuration(text: string): number {
  if (!/^(?:\d{1,6}[smhdw])+$/.test(text))
    throw new InvalidArgumentError('Expected a duration such as 30m, 2h or 1d.');
  let ms = 0;
  for (const [, count, unit = ''] of text.matchAll(/(\d+)([smhdw])/g))
    ms += Number(count) * (UNITS[unit] ?? 0);
  return ms;
}

/** A time such as `2026-11-22T10:00:00Z`, or a duration: so long from `now`, or before it. As RFC 3339. */
export function readTime(text: string, now: number, direction: 'past' | 'future'): string {
  if (/^(?:\d{1,6}[smhdw])+$/.test(text)) {
    const ms = parseDuration(text);
    return new Date(direction === 'past' ? now - ms : now + ms).toISOString();
  }
  return text;
}

/** `region=eu-1` or `region:eu-1`: whichever of `=` and `:` stands first divides, unless a backslash stands before it. */
export function parsePair(text: string): [name: string, value: string] {
  const found = /^((?:\\.|[^\\=:])+)[=:](.*)$/s.exec(text);
  if (found === null) throw new InvalidArgumentError('Expected NAME=VALUE; write \\= or \\: in a name.');
  const [, name = '', value = ''] = found;
  return [name.replace(/\\([\\=:])/g, '$1'), value];
}

/** Gathers an option that may come again. */
export function collect<T>(parse: (text: string) => T) {
  return (text: string, earlier: T[] | undefined): T[] => [...(earlier ?? []), parse(text)];
}

export const text = (value: string): string => value;

/** A list of numbers divided by commas. */
export function parseNumbers(value: string): number[] {
  return value.split(',').map(parseNumber);
}

export function parseNumber(value: string): number {
  const number = value.trim() === '' ? Number.NaN : Number(value);
  if (!Number.isFinite(number)) throw new InvalidArgumentError('Expected a number.');
  return number;
}

/** A whole number of 1 to `most`. */
export function parseCountOf(most: number) {
  return (value: string): number => {
    const count = parseNumber(value);
    if (Number.isInteger(count) && count >= 1 && count <= most) return count;
    throw new InvalidArgumentError(`Expected 1 to ${most}.`);
  };
}

/** How many entries of a list to show; `--all` shows more. */
export const parseCount = parseCountOf(100);
