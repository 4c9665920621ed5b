import { expect, it } from 'vitest';
import type { Alert } from '../../live/alert-filter.ts';
import { type AttentionRow, acknowledgedBy, attentionRows } from './attention-rows.ts';

let minute = 0;
const alert = (host: string, rule: string, severity = 'warning', metric = 'cpu_percent') => {
  minute += 1;
  const fired_at = new Date(Date.parse('2026-11-26T03:00:00Z') + minute * 60_000).toISOString();
  return {
    id: `${host} ${rule}`,
    service_id: host,
    host,
    rule_id: rule,
    severity,
    metric,
    fired_at,
  } as Alert;
};

const describe = (row: AttentionRow) =>
  row.kind === 'rule'
    ? `${row.alerts[0]?.rule_id} on ${row.alerts.length}`
    : row.alert.id + (row.folded > 0 ? ` +${row.folded}` : '');

it.each<[string, Alert[], string[]]>([
  ['shows nothing where nothing fires', [], []],
  [
    'shows the worst first, then the newest',
    [alert('a', 'cpu'), alert('b', 'cpu'), alert('c', 'disk', 'critical'), alert('d', 'swap', 'info')],
    ['c disk', 'b cpu', 'a cpu', 'd swap'],
  ],
  [
    'folds a rule on more than three hosts',
    [alert('a', 'cpu'), alert('b', 'cpu'), alert('c', 'cpu'), alert('d', 'cpu'), alert('e', 'disk')],
    ['e disk', 'cpu on 4'],
  ],
  [
    'counts hosts, not the subjects of one host',
    [alert('a', 'cpu'), alert('a', 'cpu'), alert('a', 'cpu'), alert('a', 'cpu')],
    ['a cpu', 'a cpu', 'a cpu', 'a cpu'],
  ],
  [
    'folds the other alerts of a host that is offline',
    [
      alert('a', 'cpu'),
      alert('a', 'disk'),
      alert('a', 'off', 'critical', 'host.silent_minutes'),
      alert('b', 'cpu'),
    ],
    ['a off +2', 'b cpu'],
  ],
])('%s', (_name, alerts, rows) => {
  expect(attentionRows(alerts).map(describe)).toEqual(rows);
});

const acknowledged = (name: string | null) =>
  ({
    ...alert('a', 'cpu'),
    acknowledged_at: name && '2026-11-26T04:00:00Z',
    acknowledged_by: name && { id: 'key_1', name },
  }) as Alert;

it.each<[string, (string | null)[], string]>([
  ['nobody', [null, null], 'acknowledged by nobody'],
  ['one person for all', ['Anna', 'Anna'], 'all 2 acknowledged by Anna'],
  ['two people', ['Anna', 'Bo'], 'all 2 acknowledged by Anna, Bo'],
  ['one person for some', ['Anna', null, null, null], '1 of 4 acknowledged by Anna'],
])('says of a folded line that %s acknowledged its alerts', (_who, names, text) => {
  expect(acknowledgedBy({ kind: 'rule', alerts: names.map(acknowledged) })).toBe(text);
});
