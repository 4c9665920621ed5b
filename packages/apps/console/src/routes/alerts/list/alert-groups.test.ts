import { expect, it } from 'vitest';
import type { Alert } from '../alert-reads.ts';
import { alertGroups, groupedRows, groupingOf, worstOf } from './alert-groups.ts';

const alert = (id: string, rule: string, host: string, severity: Alert['severity']) =>
  ({ id, rule_id: `rul_${rule}`, rule_name: rule, service_id: `svc_${host}`, host, severity }) as Alert;

const ALERTS = [
  alert('1', 'cpu', 'web-1', 'warning'),
  alert('2', 'cpu', 'web-2', 'warning'),
  alert('3', 'disk', 'db-1', 'critical'),
  alert('4', 'swap', 'db-1', 'info'),
];
const REGIONS: Readonly<Record<string, string>> = { 'svc_web-1': 'eu-1', 'svc_db-1': 'us-1' };
const tagOf = (id: string) => REGIONS[id] ?? null;
const lineOf = (each: Alert) => ({ kind: 'alert' as const, alert: each, isNew: false, cause: undefined });

it.each([
  ['rule', { by: 'rule' }],
  ['host', { by: 'host' }],
  ['tag.region', { by: 'tag', tag: 'region' }],
  ['tag.', null],
  ['severity', null],
  [undefined, null],
])('reads %s as a grouping', (text, grouping) => {
  expect(groupingOf(text)).toEqual(grouping);
});

it('orders groups by their worst severity and then by their number of alerts', () => {
  const groups = alertGroups(ALERTS, { by: 'rule' }, tagOf);
  expect(groups.map(({ name, alerts, hosts }) => [name, alerts.length, hosts])).toEqual([
    ['disk', 1, 1],
    ['cpu', 2, 2],
    ['swap', 1, 1],
  ]);
  expect(groups.map(worstOf)).toEqual(['critical', 'warning', 'info']);
});

it('groups by a tag, with hosts that lack it in a group of their own', () => {
  const groups = alertGroups(ALERTS, { by: 'tag', tag: 'region' }, tagOf);
  expect(groups.map(({ key, alerts }) => [key, alerts.map(({ id }) => id)])).toEqual([
    ['us-1', ['3', '4']],
    ['eu-1', ['1']],
    [null, ['2']],
  ]);
});

it('leaves the alerts of closed groups out', () => {
  const groups = alertGroups(ALERTS, { by: 'host' }, tagOf);
  const rows = groupedRows(groups, new Set(['svc_db-1']), lineOf);
  expect(
    rows.map((row) => (row.kind === 'group' ? `${row.group.name} ${row.isOpen}` : row.alert.id)),
  ).toEqual(['db-1 false', 'web-1 true', '1', 'web-2 true', '2']);
});
