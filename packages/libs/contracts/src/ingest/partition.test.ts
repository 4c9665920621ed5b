import { expect, it } from 'vitest';
import { partitionOf } from './partition.ts';

it('the partition of a host never changes, since that would break the order of its samples', () => {
  const hosts = ['web-01', 'web-02', 'db-01', 'ÄÖÜ', ''];
  expect(hosts.map((host) => partitionOf('org_1', host, 24))).toMatchInlineSnapshot(`
    [
      16,
      1,
      14,
      9,
      2,
    ]
  `);
});

it('hosts whose names differ in one digit are spread over the partitions', () => {
  const counts = new Array<number>(24).fill(0);
  for (let host = 0; host < 24_000; host += 1) {
    const partition = partitionOf('org_1', `web-${String(host).padStart(5, '0')}`, 24);
    counts[partition] = (counts[partition] ?? 0) + 1;
  }
  expect(Math.min(...counts)).toBeGreaterThan(800);
  expect(Math.max(...counts)).toBeLessThan(1_200);
});

it('hosts with the same name in different organizations may be in different partitions', () => {
  const same = Array.from(
    { length: 100 },
    (_, n) => partitionOf('org_1', `h${n}`, 24) === partitionOf('org_2', `h${n}`, 24),
  );
  expect(same.filter(Boolean).length).toBeLessThan(20);
});
