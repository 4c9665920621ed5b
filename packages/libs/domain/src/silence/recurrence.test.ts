import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Recurrence, readRecurrence } from './recurrence.ts';

const at = (text: string) => Date.parse(text);
const iso = (time: number | null) => (time === null ? null : new Date(time).toISOString());

/** The first beginnings of windows of a recurrence rule. */
function beginnings(rule: string, from: string, timezone: string, count: number): (string | null)[] {
  const read = readRecurrence(rule, at(from), timezone);
  if ('code' in read) throw new Error(read.message);
  const recurrence = new Recurrence({ rule, from: at(from), timezone, last: read.last });
  const found: (string | null)[] = [];
  for (let time: number | null = at(from) - 1; time !== null && found.length < count; ) {
    time = recurrence.next(time);
    found.push(iso(time));
  }
  return found;
}

describe('windows begin', () => {
  test.each<[string, rule: string, from: string, timezone: string, wanted: (string | null)[]]>([
    [
      'at the same time of the wall clock when summer begins',
      'FREQ=DAILY',
      '2026-03-28T21:00:00Z',
      'Europe/Berlin',
      ['2026-03-28T21:00:00.000Z', '2026-03-29T20:00:00.000Z', '2026-03-30T20:00:00.000Z'],
    ],
    [
      'at the same time of the wall clock when summer ends',
      'FREQ=DAILY',
      '2026-10-24T20:00:00Z',
      'Europe/Berlin',
      ['2026-10-24T20:00:00.000Z', '2026-10-25T21:00:00.000Z'],
    ],
    [
      'never at a time that the wall clock leaps over (RFC 5545, 3.3.10)',
      'FREQ=DAILY',
      '2026-03-28T01:30:00Z',
      'Europe/Berlin',
      ['2026-03-28T01:30:00.000Z', '2026-03-30T00:30:00.000Z'],
    ],
    [
      'once, and at the first, where the wall clock shows a time twice',
      'FREQ=DAILY',
      '2026-10-24T00:30:00Z',
      'Europe/Berlin',
      ['2026-10-24T00:30:00.000Z', '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ],
    [
      'each so many hours of elapsed time, whatever the wall clock does',
      'FREQ=HOURLY;INTERVAL=6',
      '2026-10-24T18:00:00Z',
      'Europe/Berlin',
      ['2026-10-24T18:00:00.000Z', '2026-10-25T00:00:00.000Z', '2026-10-25T06:00:00.000Z'],
    ],
    [
      'on the day that it is in the time zone',
      'FREQ=WEEKLY;BYDAY=SU',
      '2026-11-21T23:30:00Z',
      'Europe/Berlin',
      ['2026-11-21T23:30:00.000Z', '2026-11-28T23:30:00.000Z'],
    ],
    [
      'first as given, though the rule does not say so',
      'FREQ=WEEKLY;BYDAY=SU',
      '2026-11-18T10:00:00Z',
      'UTC',
      ['2026-11-18T10:00:00.000Z', '2026-11-22T10:00:00.000Z', '2026-11-29T10:00:00.000Z'],
    ],
    [
      'as often as counted',
      'FREQ=DAILY;COUNT=2',
      '2026-11-18T10:00:00.500Z',
      'UTC',
      ['2026-11-18T10:00:00.500Z', '2026-11-19T10:00:00.500Z', null],
    ],
    [
      'up to the time given, which may be one of them',
      'FREQ=DAILY;UNTIL=20261119T100000Z',
      '2026-11-18T10:00:00Z',
      'UTC',
      ['2026-11-18T10:00:00.000Z', '2026-11-19T10:00:00.000Z', null],
    ],
    [
      'on the last Friday of the month',
      'FREQ=MONTHLY;BYDAY=-1FR',
      '2026-10-30T22:00:00Z',
      'America/New_York',
      ['2026-10-30T22:00:00.000Z', '2026-11-27T23:00:00.000Z'],
    ],
  ])('%s', (_, rule, from, timezone, wanted) => {
    expect(beginnings(rule, from, timezone, wanted.length)).toEqual(wanted);
  });

  test('the newest window before any moment is in the sequence of windows', () => {
    const from = at('2026-01-05T01:30:00Z');
    fc.assert(
      fc.property(
        fc.constantFrom(
          'FREQ=DAILY',
          'FREQ=WEEKLY;BYDAY=MO,TH',
          'FREQ=DAILY;INTERVAL=3;COUNT=40',
          'FREQ=HOURLY',
        ),
        fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'),
        fc.integer({ min: 0, max: 400 * 86_400_000 }),
        (rule, timezone, later) => {
          const read = readRecurrence(rule, from, timezone) as { last: number };
          const recurrence = new Recurrence({ rule, from, timezone, last: read.last });
          const latest = recurrence.latest(from + later) as number;
          expect(latest).toBeLessThanOrEqual(from + later);
          const next = recurrence.next(latest);
          if (next === null) expect(latest).toBe(read.last);
          else {
            expect(next).toBeGreaterThan(from + later);
            expect(recurrence.latest(next)).toBe(next);
            expect(recurrence.next(next - 1)).toBe(next);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('there is no window before the first', () => {
    const recurrence = new Recurrence({
      rule: 'FREQ=DAILY',
      from: 5_000,
      timezone: 'UTC',
      last: Number.POSITIVE_INFINITY,
    });
    expect([recurrence.latest(4_999), recurrence.latest(5_000), recurrence.next(0)]).toEqual([
      null,
      5_000,
      5_000,
    ]);
  });
});

describe('a rule', () => {
  const read = (rule: string) => readRecurrence(rule, at('2026-11-18T10:00:00Z'), 'Europe/Berlin');

  test('has its last beginning computed', () => {
    expect(read('FREQ=WEEKLY')).toEqual({ last: Number.POSITIVE_INFINITY });
    expect(read('FREQ=WEEKLY;COUNT=3')).toEqual({ last: at('2026-12-02T10:00:00Z') });
    expect(read('freq=weekly;until=20261125')).toEqual({ last: at('2026-11-25T10:00:00Z') });
    expect(read('FREQ=WEEKLY;UNTIL=20200101')).toEqual({ last: at('2026-11-18T10:00:00Z') });
  });

  test.each<[string, string]>([
    ['', 'invalid_format'],
    ['weekly', 'invalid_format'],
    ['FREQ=NEVER', 'invalid_format'],
    ['FREQ=SECONDLY', 'invalid_format'],
    ['BYDAY=SU', 'invalid_format'],
    ['FREQ=DAILY;FREQ=WEEKLY', 'invalid_format'],
    ['FREQ=DAILY;INTERVAL=0', 'invalid_format'],
    ['FREQ=DAILY;BYHOUR=24', 'invalid_format'],
    ['FREQ=DAILY;BYDAY=XX', 'invalid_format'],
    ['FREQ=DAILY;COUNT=3;UNTIL=20270101', 'invalid_format'],
    ['FREQ=DAILY;UNTIL=20271399', 'invalid_format'],
    ['FREQ=WEEKLY;BYDAY=-1SU', 'invalid_format'],
    ['DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY', 'unsupported'],
    ['FREQ=DAILY;BYSECOND=1', 'unsupported'],
    ['FREQ=YEARLY;RSCALE=HEBREW', 'unsupported'],
    ['FREQ=HOURLY;BYMONTH=2', 'unsupported'],
    ['FREQ=DAILY;COUNT=501', 'too_large'],
    ['FREQ=DAILY;INTERVAL=1001', 'too_large'],
    [`FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=1,2,3,4,5`, 'too_large'],
    ['FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'too_complex'],
  ])('%j is not taken: %s', (rule, code) => {
    expect(read(rule)).toMatchObject({ code });
  });

  test('that would end after the year 9999 is refused', () => {
    expect(readRecurrence('FREQ=YEARLY;COUNT=3', at('9998-01-01T00:00:00Z'), 'UTC')).toMatchObject({
      code: 'out_of_range',
    });
  });
});

describe('the search for a window is bounded', () => {
  test.each([
    'FREQ=DAILY;INTERVAL=997;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=DAILY;INTERVAL=1000;BYMONTH=2;BYMONTHDAY=29;BYHOUR=1,2,3,4,5,6,7,8,9,10,11,12',
    'FREQ=HOURLY;INTERVAL=999;BYDAY=MO;BYHOUR=3;BYMINUTE=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20',
    'FREQ=WEEKLY;INTERVAL=1000;BYMONTH=2;BYDAY=MO',
  ])('%s is refused, or answered within it', (rule) => {
    for (const from of [0, Date.UTC(2026, 9, 1)]) {
      const read = readRecurrence(rule, from, 'UTC');
      if ('code' in read) expect(read.code).toBe('too_complex');
      else expect(new Recurrence({ rule, from, timezone: 'UTC', last: read.last }).next(from)).not.toBeNull();
    }
  });

  test.each([
    'FREQ=DAILY',
    'FREQ=DAILY;BYMONTH=12',
    'FREQ=WEEKLY;BYDAY=SU',
    'FREQ=MONTHLY;BYDAY=2TU',
    'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO',
    'FREQ=HOURLY;BYDAY=MO',
    'FREQ=DAILY;COUNT=500',
  ])('%s is taken, from today and from long ago', (rule) => {
    for (const from of [0, Date.UTC(2026, 9, 1)]) {
      const read = readRecurrence(rule, from, 'Europe/Berlin');
      expect(read).toHaveProperty('last');
      if ('code' in read) continue;
      const recurrence = new Recurrence({ rule, from, timezone: 'Europe/Berlin', last: read.last });
      expect(recurrence.latest(Math.min(read.last, Date.UTC(2030, 0, 1)))).not.toBeNull();
    }
  });
});
