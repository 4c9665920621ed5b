import type { Transition } from '@tidewatch/contracts/channels/channel-config';
import type { Severity } from '@tidewatch/contracts/values/severity';
import { expect, test } from 'vitest';
import { FLAPPING_WITHIN_MS } from '../alerting/flapping.ts';
import { type FlappingStream, flap, flappingAt } from './flapping.ts';

const AT = 1_000_000;
const warning: FlappingStream = { changedAt: AT, severity: 'warning' };

test.each<[string, FlappingStream | null, Transition, Severity, number, FlappingStream | null]>([
  ['a firing of a stream that does not flap changes nothing', null, 'fired', 'warning', AT, null],
  ['the first notice begins it', null, 'flapping', 'warning', AT, warning],
  ['a second one goes on', warning, 'flapping', 'warning', AT + 1, { ...warning, changedAt: AT + 1 }],
  [
    'that critical flaps as well makes it critical',
    warning,
    'flapping',
    'critical',
    AT + 1,
    { changedAt: AT + 1, severity: 'critical' },
  ],
  [
    'that something milder flaps leaves the worst',
    warning,
    'flapping',
    'info',
    AT + 1,
    { ...warning, changedAt: AT + 1 },
  ],
  [
    'a firing keeps it from being calm',
    warning,
    'fired',
    'warning',
    AT + 5,
    { ...warning, changedAt: AT + 5 },
  ],
  ['a rise above what flaps does not', warning, 'escalated', 'critical', AT + 5, warning],
  ['a reminder changes nothing', warning, 'renotified', 'warning', AT + 5, warning],
  ['the end of a silence changes nothing', warning, 'silence_ended', 'warning', AT + 5, warning],
  [
    'a resolution counts as a change',
    warning,
    'resolved',
    'warning',
    AT + 5,
    { ...warning, changedAt: AT + 5 },
  ],
  ['an event that comes late takes nothing back', warning, 'fired', 'warning', AT - 5, warning],
  ['after an hour without change it is calm', warning, 'fired', 'warning', AT + FLAPPING_WITHIN_MS, null],
  [
    'a calm stream may flap anew, at another severity',
    warning,
    'flapping',
    'info',
    AT + FLAPPING_WITHIN_MS,
    { changedAt: AT + FLAPPING_WITHIN_MS, severity: 'info' },
  ],
])('%s', (_, before, transition, severity, at, after) => {
  expect(flap(before, transition, severity, at)).toEqual(after);
});

test.each<[string, FlappingStream | null, number, Severity | null]>([
  ['nothing flaps where nothing was noted', null, AT, null],
  ['it flaps until it has not changed for an hour', warning, AT + FLAPPING_WITHIN_MS - 1, 'warning'],
  ['it is calm an hour later', warning, AT + FLAPPING_WITHIN_MS, null],
])('%s', (_, stream, at, severity) => {
  expect(flappingAt(stream, at)).toBe(severity);
});
