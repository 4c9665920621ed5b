import type { Transition } from '@tidewatch/contracts/channels/notice-events';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { expect, test } from 'vitest';
import { FLAPPING_WITHIN_MS } from '../alerting/flapping.ts';
import { type FlappingNotice, type FlappingStream, flap, flappingOn, withNotices } from './flapping.ts';

const AT = 1_000_000;
const CALM = AT + FLAPPING_WITHIN_MS;
const notice = (fields: Partial<FlappingNotice> = {}): FlappingNotice => ({
  channel: 'a',
  id: 'ntf_1',
  severity: 'warning',
  underWay: true,
  ...fields,
});
const notices = [notice()];
const warning: FlappingStream = { changedAt: AT, severity: 'warning', notices };
const later = (ms: number, fields: Partial<FlappingStream> = {}) => ({
  ...warning,
  changedAt: AT + ms,
  ...fields,
});

test.each<[string, FlappingStream | null, Transition, Severity, number, FlappingStream | null]>([
  ['a firing of a stream that does not flap changes nothing', null, 'fired', 'warning', AT, null],
  ['the first notice begins it', null, 'flapping', 'warning', AT, { ...warning, notices: [] }],
  ['a second one goes on', warning, 'flapping', 'warning', AT + 1, later(1)],
  [
    'that critical flaps as well makes it critical',
    warning,
    'flapping',
    'critical',
    AT + 1,
    later(1, { severity: 'critical' }),
  ],
  ['that something milder flaps leaves the worst', warning, 'flapping', 'info', AT + 1, later(1)],
  ['a firing keeps it from being calm', warning, 'fired', 'warning', AT + 5, later(5)],
  ['a rise above what flaps does not', warning, 'escalated', 'critical', AT + 5, warning],
  ['a reminder changes nothing', warning, 'renotified', 'warning', AT + 5, warning],
  ['the end of a silence changes nothing', warning, 'silence_ended', 'warning', AT + 5, warning],
  ['a resolution counts as a change', warning, 'resolved', 'warning', AT + 5, later(5)],
  ['a late event does not change the state', warning, 'fired', 'warning', AT - 5, warning],
  ['after an hour without change it is calm', warning, 'fired', 'warning', CALM, null],
  [
    'a calm stream may flap again, and nobody was notified of that',
    warning,
    'flapping',
    'info',
    CALM,
    { changedAt: CALM, severity: 'info', notices: [] },
  ],
])('%s', (_, before, transition, severity, at, after) => {
  expect(flap(before, transition, severity, at)).toEqual(after);
});

test.each<[string, FlappingStream | null, string, number, Severity | null]>([
  ['nothing flaps where nothing was noted', null, 'a', AT, null],
  [
    'it flaps for a channel that was notified, until it has not changed for an hour',
    warning,
    'a',
    CALM - 1,
    'warning',
  ],
  ['it is calm an hour later', warning, 'a', CALM, null],
  ['it does not flap for a channel that was not notified', warning, 'b', AT, null],
  [
    'a notice that failed counts for nothing',
    { ...warning, notices: [notice({ underWay: false })] },
    'a',
    AT,
    null,
  ],
  [
    'a channel goes by the worst that it was notified of, not by the worst that flaps',
    { ...warning, severity: 'critical' },
    'a',
    AT,
    'warning',
  ],
  [
    'of several notices the worst counts',
    { ...warning, notices: [notice(), notice({ severity: 'critical' })] },
    'a',
    AT,
    'critical',
  ],
])('%s', (_, stream, channel, at, severity) => {
  expect(flappingOn(stream, channel, at)).toBe(severity);
});

test('a flapping notice replaces the notices of its channel that are not worse', () => {
  const critical = notice({ id: 'ntf_2', severity: 'critical' });
  expect(withNotices(warning, [critical]).notices).toEqual([critical]);
  const other = notice({ id: 'ntf_3', channel: 'b' });
  expect(withNotices(warning, [other]).notices).toEqual([notice(), other]);
  const milder = notice({ id: 'ntf_4', severity: 'info' });
  expect(withNotices(warning, [milder]).notices).toEqual([notice(), milder]);
});
