import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { endOf, matchedText, matchersOf, type SilenceDuration, zoneOf } from './silence-choices.ts';

beforeAll(() => void vi.stubEnv('TZ', 'Europe/Berlin'));
afterAll(() => void vi.unstubAllEnvs());

const at = (text: string) => Date.parse(text);

it.each<[SilenceDuration, string, 'local' | 'utc', string, string]>([
  ['1h', '2026-11-26T03:12:40Z', 'local', '', '2026-11-26T04:12:40Z'],
  ['4h', '2026-11-26T03:12:40Z', 'local', '', '2026-11-26T07:12:40Z'],
  ['09:00', '2026-11-26T03:12:40Z', 'local', '', '2026-11-26T08:00:00Z'],
  ['09:00', '2026-11-26T08:00:00Z', 'local', '', '2026-11-27T08:00:00Z'],
  ['09:00', '2026-11-26T08:30:00Z', 'utc', '', '2026-11-26T09:00:00Z'],
  ['09:00', '2026-10-24T10:00:00Z', 'local', '', '2026-10-25T08:00:00Z'],
  ['custom', '2026-11-26T03:12:40Z', 'local', '2026-11-26T12:30', '2026-11-26T11:30:00Z'],
  ['custom', '2026-11-26T03:12:40Z', 'utc', '2026-11-26T12:30', '2026-11-26T12:30:00Z'],
])('ends %s from %s (%s %s) at %s', (duration, from, zone, custom, end) => {
  expect(endOf(duration, at(from), custom, zone)).toBe(at(end));
});

it('has no end without a time', () => {
  expect(endOf('custom', 0, '', 'local')).toBeNaN();
});

it('matches by host, by rule or by both', () => {
  const alert = { host: 'db-03', rule: { id: 'rul_1', name: 'Memory' } };
  expect(matchersOf('alert', alert)).toEqual({ hosts: ['db-03'], rule_ids: ['rul_1'] });
  expect(matchersOf('host', alert)).toEqual({ hosts: ['db-03'] });
  expect(matchersOf('rule', alert)).toEqual({ rule_ids: ['rul_1'] });
  expect(matchedText('alert', alert)).toBe('host=db-03, rule=Memory');
  expect(matchedText('rule', alert)).toBe('rule=Memory');
  expect(matchersOf('host', { host: 'db-03' })).toEqual({ hosts: ['db-03'] });
  expect(matchedText('host', { host: 'db\u202e' })).toBe('host=db\\u202e');
});

it('names the zone by IANA', () => {
  expect(zoneOf('utc')).toBe('UTC');
});
