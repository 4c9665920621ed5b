import { expect, it } from 'vitest';
import { absoluteTime, alertFilterOf, isFiltered, NO_FILTERS } from './alerts-query.ts';

const NOW = Date.parse('2026-11-26T03:00:00Z');

it.each([
  ['-1h', '2026-11-26T02:00:00.000Z'],
  ['-7d', '2026-11-19T03:00:00.000Z'],
  ['2026-11-26T01:00:00Z', '2026-11-26T01:00:00.000Z'],
])('takes %s as %s', (time, absolute) => {
  expect(absoluteTime(time, NOW)).toBe(absolute);
});

it('asks the API for what the URL says, and for active alerts by default', () => {
  expect(alertFilterOf({}, NOW)).toEqual({ status: 'active' });
  expect(alertFilterOf({ status: 'all', severity: 'critical', from: '-1h', shadow: 'true' }, NOW)).toEqual({
    status: 'all',
    severity: 'critical',
    from: '2026-11-26T02:00:00.000Z',
    shadow: 'include',
  });
  expect(alertFilterOf({ sort: 'value', shadow: 'false' }, NOW)).toEqual({ status: 'active' });
});

it('clears filters, not the tab and the order', () => {
  const search = { status: 'resolved', sort: 'fired_at', host: 'db-03' } as const;
  expect(isFiltered(search)).toBe(true);
  expect({ ...search, ...NO_FILTERS }).toMatchObject({
    status: 'resolved',
    sort: 'fired_at',
    host: undefined,
  });
  expect(isFiltered({ ...search, ...NO_FILTERS })).toBe(false);
});
