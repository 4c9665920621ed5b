import { expect, it } from 'vitest';
import type { Alert, AlertFilter } from './alert-filter.ts';
import { type AlertPages, listAfter } from './alert-lists.ts';

const alert = (id: string, changes: Partial<Alert> = {}): Alert =>
  ({
    id,
    status: 'active',
    severity: 'critical',
    host: 'db-03',
    service_id: 'svc_1',
    rule_id: 'rul_1',
    shadow: false,
    acknowledged_at: null,
    fired_at: `2026-11-26T03:0${id.slice(-1)}:00.000Z`,
    created_at: `2026-11-26T03:0${id.slice(-1)}:00.000Z`,
    updated_at: '2026-11-26T03:10:00.000Z',
    ...changes,
  }) as Alert;

/** Pages of alerts by the ends of their ids; `…` after the last page stands for further pages. */
function list(text: string): AlertPages {
  const pages = text.replace('…', '').split('|');
  const total = text.replaceAll(/[|…]/g, '').length + (text.endsWith('…') ? 10 : 0);
  return {
    pages: pages.map((ids, index) => ({
      alerts: [...ids].map((id) => alert(`alr_${id}`)),
      pagination: {
        total,
        next_cursor: index < pages.length - 1 || text.endsWith('…') ? 'next' : null,
      },
    })),
    pageParams: pages.map(() => null),
  };
}

const idsOf = ({ pages }: AlertPages) =>
  pages.map(({ alerts }) => alerts.map(({ id }) => id.slice(-1)).join('')).join('|');

it.each<[string, string, AlertFilter, Alert, string, string, number]>([
  ['enters on top', '53|1', {}, alert('alr_7'), 'alert.fired', '753|1', 4],
  ['enters in order', '53|1', {}, alert('alr_4'), 'alert.fired', '543|1', 4],
  ['enters at the end of the last page', '53|2', {}, alert('alr_1'), 'alert.fired', '53|21', 4],
  ['enters an empty list', '', {}, alert('alr_1'), 'alert.fired', '1', 1],
  ['counts behind the loaded pages', '53…', {}, alert('alr_1'), 'alert.fired', '53', 13],
  ['counts nothing that may be counted', '53…', {}, alert('alr_1'), 'alert.escalated', '53', 12],
  ['is replaced', '53|1', {}, alert('alr_3', { severity: 'warning' }), 'alert.escalated', '53|1', 3],
  [
    'leaves when it is resolved',
    '53|1',
    {},
    alert('alr_3', { status: 'resolved' }),
    'alert.resolved',
    '5|1',
    2,
  ],
  [
    'leaves by its severity',
    '53',
    { severity: 'critical' },
    alert('alr_3', { severity: 'info' }),
    'alert.escalated',
    '5',
    1,
  ],
  [
    'leaves when it is acknowledged',
    '53',
    { acknowledged: 'false' },
    alert('alr_3', { acknowledged_at: '2026' }),
    'alert.acknowledged',
    '5',
    1,
  ],
  [
    'is counted as resolved behind the loaded pages',
    '53…',
    {},
    alert('alr_1', { status: 'resolved' }),
    'alert.resolved',
    '53',
    11,
  ],
  ['stays out by another host', '53', { host: 'web-01' }, alert('alr_7'), 'alert.fired', '53', 2],
  ['stays out as a shadow alert', '53', {}, alert('alr_7', { shadow: true }), 'alert.fired', '53', 2],
  [
    'enters as a shadow alert where they are included',
    '53',
    { shadow: 'include' },
    alert('alr_7', { shadow: true }),
    'alert.fired',
    '753',
    3,
  ],
  [
    'stays out of another time',
    '53',
    { from: '2026-11-26T03:08:00Z' },
    alert('alr_7'),
    'alert.fired',
    '53',
    2,
  ],
  [
    'enters the resolved',
    '53',
    { status: 'resolved' },
    alert('alr_7', { status: 'resolved' }),
    'alert.resolved',
    '753',
    3,
  ],
  ['enters by another order', '35', { sort: 'fired_at' }, alert('alr_4'), 'alert.fired', '345', 3],
  [
    'changes nothing in a list of the past',
    '53',
    { as_of: '2026-11-26T03:06:00Z' },
    alert('alr_7'),
    'alert.fired',
    '53',
    2,
  ],
  [
    'changes nothing where more is known',
    '53',
    {},
    alert('alr_3', { status: 'resolved', updated_at: '2026-11-26T03:09:59.000Z' }),
    'alert.resolved',
    '53',
    2,
  ],
])('an alert %s', (_name, before, filter, changed, type, after, total) => {
  const result = listAfter(list(before), filter, changed, type);
  expect({ ids: idsOf(result), total: result.pages[0]?.pagination.total }).toEqual({ ids: after, total });
});

it('returns the same list where nothing changes', () => {
  const before = list('53');
  expect(listAfter(before, { host: 'web-01' }, alert('alr_7'), 'alert.fired')).toBe(before);
});

it('shows an alert once, however often its events come', () => {
  let result = list('53');
  for (let times = 0; times < 3; times += 1) result = listAfter(result, {}, alert('alr_7'), 'alert.fired');
  expect(idsOf(result)).toBe('753');
});
