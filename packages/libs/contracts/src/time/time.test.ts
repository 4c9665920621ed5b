import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTimestamp, toIso } from './time.ts';

const YEAR_0 = Date.parse('0000-01-01T00:00:00.000Z');
const YEAR_9999 = Date.parse('9999-12-31T23:59:59.999Z');
const times = fc.integer({ min: YEAR_0, max: YEAR_9999 });

describe('toIso', () => {
  it('returns the same text as Date for every time', () => {
    const near = fc.tuple(fc.integer({ min: 0, max: 40 }), fc.integer({ min: -2, max: 2 }));
    const edges = near.map(([day, off]) => day * 86_400_000 + off);
    const ends = fc.constantFrom(
      0,
      -1,
      YEAR_9999,
      YEAR_9999 + 1,
      8.64e15,
      -8.64e15,
      0.5,
      1_795_324_202_009.75,
    );
    fc.assert(
      fc.property(fc.oneof(times, edges, ends), (ms) => {
        expect(toIso(ms)).toBe(new Date(ms).toISOString());
      }),
    );
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 8.64e15 + 1])('throws for %s', (ms) => {
    expect(() => toIso(ms)).toThrow(RangeError);
  });
});

describe('parseTimestamp', () => {
  it.each([
    ['milliseconds', '2026-11-21T14:36:28.123Z', '2026-11-21T14:36:28.123Z'],
    ['no fraction', '2026-11-21T14:36:28Z', '2026-11-21T14:36:28.000Z'],
    ['one digit of a fraction', '2026-11-21T14:36:28.5Z', '2026-11-21T14:36:28.500Z'],
    ['microseconds are cut', '2026-11-21T14:36:28.123999Z', '2026-11-21T14:36:28.123Z'],
    ['nanoseconds before the epoch are cut', '1969-12-31T23:59:59.9999999Z', '1969-12-31T23:59:59.999Z'],
    ['no offset is UTC', '2026-11-21T14:36:28.5', '2026-11-21T14:36:28.500Z'],
    ['east', '2020-02-29T12:00:00+02:00', '2020-02-29T10:00:00.000Z'],
    ['west, over midnight', '2020-02-28T23:30:00.25-05:45', '2020-02-29T05:15:00.250Z'],
    ['unknown local offset', '2020-01-01T00:00:00-00:00', '2020-01-01T00:00:00.000Z'],
    ['lower case', '2020-01-01t00:00:00z', '2020-01-01T00:00:00.000Z'],
    ['a space', '2020-01-01 00:00:00Z', '2020-01-01T00:00:00.000Z'],
    ['leap day of a century', '2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z'],
    ['year 1', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['year 0', '0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
    ['year 9999', '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('reads %s', (_name, text, iso) => {
    expect(toIso(parseTimestamp(text) ?? Number.NaN)).toBe(iso);
  });

  it.each([
    ['empty', ''],
    ['a word', 'yesterday'],
    ['a date alone', '2026-01-01'],
    ['no seconds', '2026-01-01T00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['30 February', '2026-02-30T00:00:00Z'],
    ['29 February of a common year', '2026-02-29T00:00:00Z'],
    ['29 February of a common century', '1900-02-29T00:00:00Z'],
    ['31 April', '2026-04-31T00:00:00Z'],
    ['hour 24', '2026-01-01T24:00:00Z'],
    ['minute 60', '2026-01-01T00:60:00Z'],
    ['a leap second', '2016-12-31T23:59:60Z'],
    ['an empty fraction', '2026-01-01T00:00:00.Z'],
    ['a comma', '2026-01-01T00:00:00,5Z'],
    ['offset hour 24', '2026-01-01T00:00:00+24:00'],
    ['offset minute 60', '2026-01-01T00:00:00+01:60'],
    ['offset without a colon', '2026-01-01T00:00:00+0100'],
    ['something behind', '2026-01-01T00:00:00Zulu'],
    ['something before', ' 2026-01-01T00:00:00Z'],
    ['a signed year', '+02026-01-01T00:00:00Z'],
    ['a sign among the digits', '2026-01--1T00:00:00Z'],
    ['other digits', '２０２６-01-01T00:00:00Z'],
    ['too long', `2026-01-01T00:00:00.${'1'.repeat(60)}Z`],
  ])('refuses %s', (_name, text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  it('undoes toIso', () => {
    fc.assert(fc.property(times, (ms) => parseTimestamp(toIso(ms)) === ms));
  });

  it('agrees with Date for every day that exists in the calendar', () => {
    const part = (max: number) =>
      fc.integer({ min: 0, max }).map((number) => String(number).padStart(2, '0'));
    const offset = fc.oneof(
      fc.constant('Z'),
      fc
        .tuple(fc.constantFrom('+', '-'), part(25), part(61))
        .map(([sign, hours, minutes]) => `${sign}${hours}:${minutes}`),
    );
    const text = fc
      .tuple(
        fc.integer({ min: 1, max: 9999 }),
        part(14),
        part(33),
        part(25),
        part(61),
        part(61),
        part(99),
        offset,
      )
      .map(([year, month, day, hour, minute, second, hundredths, zone]) => {
        return `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}.${hundredths}${zone}`;
      });
    fc.assert(
      fc.property(text, (candidate) => {
        expect(parseTimestamp(candidate)).toBe(parsedByDate(candidate));
      }),
      { numRuns: 2_000 },
    );
  });
});

/** `text` as parsed by Date, except for days that Date rolls over and the hour 24, which are refused. */
function parsedByDate(text: string): number | undefined {
  const ms = Date.parse(text);
  const [date = '', time = ''] = text.split('T');
  const day = Date.parse(`${date}T00:00:00Z`);
  if (Number.isNaN(ms) || Number.isNaN(day) || time.startsWith('24')) return undefined;
  return new Date(day).toISOString().startsWith(date) ? ms : undefined;
}
