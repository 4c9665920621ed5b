import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { type Effort, tooMuch } from './effort.ts';

test.each<[string, Effort, ReturnType<typeof tooMuch>]>([
  ['an hour of 10,000 hosts by minutes', { hosts: 10_000, from: 0, to: HOUR_MS, tier: '1m' }, null],
  ['a week of 10,000 hosts by hours', { hosts: 10_000, from: 0, to: 7 * DAY_MS, tier: '1h' }, null],
  [
    'a day of 10,000 hosts by minutes',
    { hosts: 10_000, from: 0, to: DAY_MS, tier: '1m' },
    { rows: 14_400_000, hostsAllowed: 1_388 },
  ],
  [
    'a day of 1,000 hosts by samples',
    { hosts: 1_000, from: 0, to: DAY_MS, tier: 'raw' },
    { rows: 8_640_000, hostsAllowed: 231 },
  ],
  ['less than a bucket', { hosts: 2_000_000, from: 0, to: 1, tier: '1d' }, null],
])('%s', (_, effort, wanted) => {
  expect(tooMuch(effort)).toEqual(wanted);
});
