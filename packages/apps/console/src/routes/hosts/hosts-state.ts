import type { PageSearch } from '@tidewatch/contracts/console/paths';
import { splitNameAndValue } from '@tidewatch/contracts/queries/separated';
import { type Fill, type FleetFilter, legendCounts, matchingRows } from '../../fleet/filter.ts';
import type { HostColumns } from '../../fleet/fleet.ts';
import { groupRows, type HostGroup } from '../../fleet/group.ts';
import { isOrder, sortRows } from '../../fleet/sort.ts';

export type HostsSearch = PageSearch<'hosts'>;

/** More hosts have no order by cells, so that the map groups them by status where nothing else was chosen. */
export const DEFAULT_COLUMNS = [
  'status',
  'last_seen',
  'cpu_percent',
  'memory_percent',
  'disk_percent',
  'alerts',
];

export function fillOf(search: HostsSearch): Fill {
  return search.fill ?? 'status';
}

export function filterOf(search: HostsSearch): FleetFilter {
  return {
    q: search.q ?? '',
    statuses: search.status ?? [],
    tags: (search.tag ?? []).flatMap((text) => splitNameAndValue(text) ?? []),
    fill: fillOf(search),
    steps: search.step ?? [],
  };
}

/** The tags that the page needs of each host. */
export function neededTags(search: HostsSearch): string[] {
  const ofColumns = columnsOf(search).flatMap((column) =>
    column.startsWith('tag.') ? [column.slice(4)] : [],
  );
  const ofOrder = search.sort?.replace(/^-/, '') ?? '';
  return [
    ...new Set([
      ...filterOf(search).tags.map(({ name }) => name),
      ...(search.group_by === undefined ? [] : [search.group_by]),
      ...ofColumns,
      ...(ofOrder.startsWith('tag.') ? [ofOrder.slice(4)] : []),
    ]),
  ];
}

export function columnsOf({ columns }: HostsSearch): readonly string[] {
  return columns ?? DEFAULT_COLUMNS;
}

/** Worst first, and by name where the states are equal: a critical host must not stand below the fold of a long list. */
export const DEFAULT_ORDER = 'status';

export function orderOf({ sort }: HostsSearch): string {
  return sort !== undefined && isOrder(sort) ? sort : DEFAULT_ORDER;
}

export interface HostsView {
  /** The rows that match, in order of the fleet. */
  rows: readonly number[];
  /** The same for the table, in its order. */
  sorted: readonly number[];
  groups: readonly HostGroup[];
  /** How many hosts each entry of the legend has, whatever the legend itself selects. */
  legend: ReadonlyMap<string, number>;
}

/** What the page shows of a fleet. */
export function viewOf(
  hosts: HostColumns,
  search: HostsSearch,
  formerGroups: readonly (string | null)[],
): HostsView {
  const filter = filterOf(search);
  const rows = matchingRows(hosts, filter);
  const isTable = search.view === 'table';
  return {
    rows,
    sorted: isTable ? sortRows(hosts, rows, orderOf(search)) : [],
    groups: isTable ? [] : groupRows(hosts, rows, search.group_by, formerGroups),
    legend: legendCounts(
      hosts,
      filter.statuses.length + filter.steps.length === 0 ? rows : matchingRows(hosts, filter, 'legend'),
      filter.fill,
    ),
  };
}

/** The search without what narrows the hosts down. */
export const NO_FILTER: HostsSearch = { q: undefined, status: undefined, tag: undefined, step: undefined };

export function isFiltered({ q, status, tag, step }: HostsSearch): boolean {
  return [q, status, tag, step].some((value) => value !== undefined);
}

/** The list with the value added, or removed if it is in it; undefined instead of an empty one. */
export function toggled(list: readonly string[] | undefined, value: string): readonly string[] | undefined {
  const next = list?.includes(value) ? list.filter((each) => each !== value) : [...(list ?? []), value];
  return next.length === 0 ? undefined : next;
}
