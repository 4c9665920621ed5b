import type { Silence } from '@tidewatch/contracts/silences/silence';
import { describe, expect, it } from 'vitest';
import { instantOf, localTime } from '../../components/time/zoned-time.ts';
import { copyOfSilence, newSilence, silenceBody } from './silence-draft.ts';
import { daysLater, matchersText, recurrenceText, weekOf } from './silence-words.ts';

describe('a clock in a zone', () => {
  it.each([
    ['2026-11-26T03:00', 'UTC', '2026-11-26T03:00:00.000Z'],
    ['2026-11-26T03:00', 'Europe/Berlin', '2026-11-26T02:00:00.000Z'],
    ['2026-07-26T03:00', 'Europe/Berlin', '2026-07-26T01:00:00.000Z'],
    ['2026-10-25T00:30', 'Europe/Berlin', '2026-10-24T22:30:00.000Z'],
    ['2026-10-25T04:00', 'Europe/Berlin', '2026-10-25T03:00:00.000Z'],
    ['2026-11-26T12:00', 'Asia/Kolkata', '2026-11-26T06:30:00.000Z'],
  ])('%s in %s is %s, and back', (local, zone, at) => {
    expect(new Date(instantOf(local, zone)).toISOString()).toBe(at);
    expect(localTime(Date.parse(at), zone)).toBe(local);
  });

  it.each([
    ['', 'UTC'],
    ['2026-11-26T03:00', 'Mars/Olympus'],
  ])('"%s" in %s is no time', (local, zone) => {
    expect(instantOf(local, zone)).toBeNaN();
  });
});

it('words recurrences, and shows a rule that says more as it is', () => {
  expect([
    recurrenceText(null),
    recurrenceText('FREQ=DAILY'),
    recurrenceText('FREQ=WEEKLY;BYDAY=SU,MO'),
    recurrenceText('FREQ=MONTHLY;BYDAY=2TU'),
  ]).toEqual(['once', 'every day', 'weekly on Sunday, Monday', 'FREQ=MONTHLY;BYDAY=2TU']);
});

it('words what a silence matches', () => {
  const matchers = {
    hosts: ['db-*'],
    tags: { role: ['a', 'b'] },
    rule_ids: ['rul_1'],
    severities: ['warning'],
    subjects: [],
  } as Silence['matchers'];
  expect(matchersText(matchers, () => 'CPU')).toBe('host=db-*; role=a, b; rule=CPU; severity=warning');
});

it('begins a week on Monday', () => {
  const monday = Date.parse('2026-11-23T00:00:00Z');
  for (const day of ['2026-11-23T00:00:00Z', '2026-11-26T12:00:00Z', '2026-11-29T23:59:59Z'])
    expect(weekOf(Date.parse(day), true)).toBe(monday);
  expect(new Date(daysLater(monday, 7, true)).toISOString()).toBe('2026-11-30T00:00:00.000Z');
});

describe('a draft', () => {
  const now = Date.parse('2026-11-26T03:12:40Z');

  it('lasts an hour from this minute, and is sent as times', () => {
    const draft = newSilence(now, 'Europe/Berlin', { hosts: ['a'] });
    expect([draft['from'], draft['until']]).toEqual(['2026-11-26T04:12', '2026-11-26T05:12']);
    expect(silenceBody(draft)).toMatchObject({
      from: '2026-11-26T03:12:00.000Z',
      until: '2026-11-26T04:12:00.000Z',
      timezone: 'Europe/Berlin',
    });
  });

  it('sends what is no time as it is, so that the API says what is wrong', () => {
    expect(silenceBody({ from: '', until: 'x', timezone: 'UTC' })).toMatchObject({ from: '', until: 'x' });
  });

  it.each([
    [null, '2026-11-26T03:12'],
    ['FREQ=WEEKLY', '2026-11-01T01:00'],
  ])('of a silence that is over and repeats %s begins at %s', (recurrence, from) => {
    const silence = {
      matchers: {},
      from: '2026-11-01T01:00:00Z',
      until: '2026-11-01T03:00:00Z',
      recurrence,
      timezone: 'UTC',
      comment: '',
    } as unknown as Silence;
    expect(copyOfSilence(silence, now)['from']).toBe(from);
  });
});
