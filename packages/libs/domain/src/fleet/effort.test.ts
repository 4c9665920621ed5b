import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { expect, test } from 'vitest';
import { type Effort, tooMuch } from './effort.ts';

const of = (hosts: number) => ({ hosts, blocks: hosts, series: hosts });

test.each<[string, Effort, ReturnType<typeof tooMuch>]>([
  ['an hour of 10,000 hosts by minutes', { ...of(10_000), from: 0, to: HOUR_MS, tier: '1m' }, null],
  ['a week of 10,000 hosts by hours', { ...of(10_000), from: 0, to: 7 * DAY_MS, tier: '1h' }, null],
  [
    'a day of 10,000 hosts by minutes',
    { ...of(10_000), from: 0, to: DAY_MS, tier: '1m' },
    { rows: 14_400_000, hostsAllowed: 1_388 },
  ],
  [
    'a day of 1,000 hosts by samples',
    { ...of(1_000), from: 0, to: DAY_MS, tier: 'raw' },
    { rows: 8_640_000, hostsAllowed: 231 },
  ],
  [
    'an hour of 10,000 hosts with three parts in a block',
    { hosts: 10_000, blocks: 10_000, series: 30_000, from: 0, to: HOUR_MS, tier: '1m' },
    null,
  ],
  [
    'an hour of 10,000 hosts with many parts in their blocks',
    { hosts: 10_000, blocks: 30_000, series: 160_000, from: 0, to: HOUR_MS, tier: '1m' },
    { rows: 4_800_000, hostsAllowed: 4_166 },
  ],
  ['less than a bucket', { ...of(2_000_000), from: 0, to: 1, tier: '1d' }, null],
])('%s', (_, effort, wanted) => {
  expect(tooMuch(effort)).toEqual(wanted);
});
