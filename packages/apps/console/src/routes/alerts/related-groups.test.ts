import { expect, it } from 'vitest';
import type { Alert } from './alert-reads.ts';
import { relatedGroups } from './related-groups.ts';

const alert = (id: string, rule_id = 'rul_1', name = 'db-03') =>
  ({ id, rule_id, subject: { kind: 'host', name } }) as Alert;

it('shows each alert once, in the first group that it belongs to', () => {
  const groups = relatedGroups(alert('alr_1'), {
    ofHost: [alert('alr_1'), alert('alr_2', 'rul_2'), alert('alr_0')],
    ofRule: [alert('alr_1'), alert('alr_3', 'rul_1', 'db-04')],
    earlier: [alert('alr_0'), alert('alr_9', 'rul_1', 'nginx')],
  });
  expect(groups.map(({ alerts }) => alerts.map(({ id }) => id))).toEqual([['alr_2'], ['alr_3'], ['alr_0']]);
  expect(relatedGroups(alert('alr_1'), { ofHost: [], ofRule: [], earlier: [] })).toEqual([]);
});
