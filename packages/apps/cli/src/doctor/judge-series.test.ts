import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { expect, it } from 'vitest';
import { judgeSeries } from './judge-series.ts';

const LIMIT = 'tidewatch_series_limit 1000\n';
const active = (organization: string, count: number) =>
  `tidewatch_series_active{organization="${organization}"} ${count}\n`;

it.each<[string, string | null, [status: string, words: string][]]>([
  ['no metrics', null, [['unknown', 'not in reach']]],
  ['metrics of something else', 'up 1\n', [['unknown', 'not in reach']]],
  ['few series', LIMIT, [['ok', '1000']]],
  ['many', LIMIT + active('org_a', 800), [['warning', 'org_a has 800 of 1000']]],
  // Each gateway counts by itself, and the last to count knows of most.
  [
    'all, and many of another',
    LIMIT + active('org_a', 900) + active('org_a', 1_000) + active('org_b', 999),
    [
      ['failed', 'org_a has 1000 of 1000 series, and new ones are refused'],
      ['warning', 'org_b has 999 of 1000'],
    ],
  ],
])('%s', (_, page, wanted) => {
  const found = judgeSeries(page === null ? null : readMetrics(page));
  expect(found).toMatchObject(
    wanted.map(([status, words]) => ({ check: 'series', status, summary: expect.stringContaining(words) })),
  );
  for (const { status, advice } of found)
    expect(advice !== null).toBe(status === 'warning' || status === 'failed');
});
