import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { expect, it } from 'vitest';
import { checkSeries } from './check-series.ts';

const LIMIT = 'tidewatch_series_limit 1000\n';
const active = (organization: string, count: number) =>
  `tidewatch_series_active{organization="${organization}"} ${count}\n`;

it.each<[string, string | null, [status: string, words: string][]]>([
  ['is unknown when no metrics can be read', null, [['unknown', 'could not be read']]],
  ['is unknown when another program answers', 'up 1\n', [['unknown', 'could not be read']]],
  ['is ok with few series', LIMIT, [['ok', '1000']]],
  ['warns near the limit', LIMIT + active('org_a', 800), [['warning', 'org_a has 800 of 1000']]],
  // Each gateway has a count of its own, of which the largest is the newest.
  [
    'fails at the limit, by the largest count of all gateways',
    LIMIT + active('org_a', 900) + active('org_a', 1_000) + active('org_b', 999),
    [
      ['failed', 'org_a has 1000 of 1000 series, and new ones are refused'],
      ['warning', 'org_b has 999 of 1000'],
    ],
  ],
])('the doctor’s check of series %s', (_, page, wanted) => {
  const found = checkSeries(page === null ? null : readMetrics(page));
  expect(found).toMatchObject(
    wanted.map(([status, words]) => ({ check: 'series', status, summary: expect.stringContaining(words) })),
  );
  for (const { status, advice } of found)
    expect(advice !== null).toBe(status === 'warning' || status === 'failed');
});
