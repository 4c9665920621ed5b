import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { expect, it } from 'vitest';
import { checkAlertInstances } from './check-alert-instances.ts';

const LIMIT = 'tidewatch_alert_instances_limit 1000\n';
const active = (organization: string, count: number) =>
  `tidewatch_alert_instances_active{organization="${organization}"} ${count}\n`;

it.each<[string, string | null, [status: string, words: string][]]>([
  ['has no finding when no metrics can be read', null, []],
  ['has no finding when the service exposes no limit', 'up 1\n', []],
  ['is ok with few alert instances', LIMIT, [['ok', '1000']]],
  [
    'warns of organizations near the limit and fails for one at the limit',
    LIMIT + active('org_a', 1_000) + active('org_b', 800),
    [
      ['failed', 'org_a has 1000 of 1000 alert instances that are pending or active, and no new ones start'],
      ['warning', 'org_b has 800 of 1000'],
    ],
  ],
])('the doctor’s check of alert instances %s', (_, page, wanted) => {
  const found = checkAlertInstances(page === null ? null : readMetrics(page));
  expect(found).toMatchObject(
    wanted.map(([status, words]) => ({
      check: 'alert instances',
      status,
      summary: expect.stringContaining(words),
    })),
  );
});
