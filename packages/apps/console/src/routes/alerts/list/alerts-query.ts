import type { PageSearch } from '@tidewatch/contracts/console/paths';
import { timeOf } from '../../../chart/data/range.ts';
import type { AlertFilter } from '../../../live/alert-filter.ts';

/** The orders that the API has. */
export const SORTS = {
  '-fired_at': 'Newest first',
  fired_at: 'Oldest first',
  '-created_at': 'Last received first',
  created_at: 'First received first',
} as const;

/** A time of a URL as the API takes it: `-1h` becomes an hour before `now`. */
export function absoluteTime(time: string, now: number): string {
  return new Date(timeOf(time, now)).toISOString();
}

/** The filter of the list that a URL asks for. Relative times are those of `now`. */
export function alertFilterOf(search: PageSearch<'alerts'>, now: number): AlertFilter {
  const { status, severity, host, service_id, rule_id, acknowledged, shadow, sort, as_of, from, to } = search;
  return {
    status: status ?? 'active',
    ...(severity !== undefined && { severity }),
    ...(host !== undefined && { host }),
    ...(service_id !== undefined && { service_id }),
    ...(rule_id !== undefined && { rule_id }),
    ...(acknowledged !== undefined && { acknowledged }),
    ...(shadow === 'true' && { shadow: 'include' }),
    ...(sort !== undefined && Object.hasOwn(SORTS, sort) && { sort }),
    ...(as_of !== undefined && { as_of: absoluteTime(as_of, now) }),
    ...(from !== undefined && { from: absoluteTime(from, now) }),
    ...(to !== undefined && { to: absoluteTime(to, now) }),
  };
}

/** The parameters that restrict the list, apart from its tab and order. */
export const FILTERS = [
  'severity',
  'host',
  'service_id',
  'rule_id',
  'acknowledged',
  'shadow',
  'from',
  'to',
] as const;

export function isFiltered(search: PageSearch<'alerts'>): boolean {
  return FILTERS.some((name) => search[name] !== undefined);
}

/** A search without any filter, in the same tab and order. */
export const NO_FILTERS: PageSearch<'alerts'> = Object.fromEntries(FILTERS.map((name) => [name, undefined]));
