import { expect, test } from 'vitest';
import { FLAPPING_WITHIN_MS } from '../alerting/flapping.ts';
import { flap } from './flapping.ts';

const AT = 1_000_000;
const stream = { changedAt: AT };

test.each([
  ['a stream that does not flap is told of', null, 'fired', AT, false, null],
  ['the first notice that it flaps is told', null, 'flapping', AT, false, AT],
  ['a second one is not', stream, 'flapping', AT + 1, true, AT + 1],
  ['a firing is not, and keeps it from being calm', stream, 'fired', AT + 5, true, AT + 5],
  ['a rise is not either', stream, 'escalated', AT + 5, true, AT + 5],
  ['a reminder is not, and changes nothing', stream, 'renotified', AT + 5, true, AT],
  ['a resolution follows its firing, and counts as a change', stream, 'resolved', AT + 5, false, AT + 5],
  ['an event that comes late takes nothing back', stream, 'fired', AT - 5, true, AT],
  ['after an hour without change it is calm', stream, 'fired', AT + FLAPPING_WITHIN_MS, false, null],
  ['and may flap anew', stream, 'flapping', AT + FLAPPING_WITHIN_MS, false, AT + FLAPPING_WITHIN_MS],
] as const)('%s', (_name, before, transition, at, quiet, changedAt) => {
  expect(flap(before, transition, at)).toEqual({
    stream: changedAt === null ? null : { changedAt },
    quiet,
  });
});
