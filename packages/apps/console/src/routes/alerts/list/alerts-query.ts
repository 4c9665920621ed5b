import type { PageSearch } from '@tidewatch/contracts/console/paths';
import type { AlertFilter } from '../../../live/alert-filter.ts';

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** The orders that the API has. */
export const SORTS = {
  '-fired_at': 'Newest first',
  fired_at: 'Oldest first',
  '-created_at': 'Last received first',
  created_at: 'First received first',
} as const;

/** A time of a URL as the API takes it: `-1h` becomes an hour before `now`. */
export function absoluteTime(time: string, now: number): string {
  const match = /^-(\d+)([smhdw])$/.exec(time);
  if (match === null) return time;
  const [, count = '0', unit = 's'] = match;
  return new Date(now - Number(count) * (UNITS_MS[unit] ?? 0)).toISOString();
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
