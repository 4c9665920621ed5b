import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { expect, it } from 'vitest';
import { judgeAlertInstances } from './judge-alert-instances.ts';

const LIMIT = 'tidewatch_alert_instances_limit 1000\n';
const active = (organization: string, count: number) =>
  `tidewatch_alert_instances_active{organization="${organization}"} ${count}\n`;

it.each<[string, string | null, [status: string, words: string][]]>([
  ['says nothing where no metrics are in reach', null, []],
  ['says nothing of a service without the limit', 'up 1\n', []],
  ['is content with few alert instances', LIMIT, [['ok', '1000']]],
  [
    'warns of organizations near the limit, and calls one that has reached it a fault',
    LIMIT + active('org_a', 1_000) + active('org_b', 800),
    [
      ['failed', 'org_a has 1000 of 1000 alert instances that are pending or active, and no new ones start'],
      ['warning', 'org_b has 800 of 1000'],
    ],
  ],
])('%s', (_, page, wanted) => {
  const found = judgeAlertInstances(page === null ? null : readMetrics(page));
  expect(found).toMatchObject(
    wanted.map(([status, words]) => ({
      check: 'alert instances',
      status,
      summary: expect.stringContaining(words),
    })),
  );
});
