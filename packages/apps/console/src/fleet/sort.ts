import type { HostColumns } from './fleet.ts';
import { tagOf } from './fleet.ts';

/** Orders that hosts have besides those by tags, `tag.<name>`. A minus sign in front reverses one. */
export const FLEET_ORDERS = [
  'name',
  'status',
  'status_since',
  'last_seen',
  'cpu_percent',
  'memory_percent',
  'disk_percent',
  'alerts',
] as const;

/** Whether an order of a URL exists. */
export function isOrder(sort: string): boolean {
  const name = sort.replace(/^-/, '');
  return (FLEET_ORDERS as readonly string[]).includes(name) || /^tag\../.test(name);
}

/** Rows in that order; hosts without a value come last in both directions, and equal ones stay in order of name. */
export function sortRows(hosts: HostColumns, rows: readonly number[], sort: string): number[] {
  const isDescending = sort.startsWith('-');
  const name = isDescending ? sort.slice(1) : sort;
  // Rows of a fleet are in order of name.
  if (name === 'name') return isDescending ? rows.toReversed() : [...rows];
  if (name.startsWith('tag.')) return sortByTag(hosts, rows, name.slice(4), isDescending);
  const keyOf = keys(hosts, name);
  const sign = isDescending ? -1 : 1;
  // Computed once for each row, not at each comparison. Missing values come last in both directions.
  const weights = new Float64Array(hosts.ids.length);
  for (const row of rows) {
    const key = keyOf(row);
    weights[row] = Number.isNaN(key) ? Number.POSITIVE_INFINITY : key * sign;
  }
  return rows.toSorted((one, other) => {
    const [a, b] = [weights[one] as number, weights[other] as number];
    return a < b ? -1 : a > b ? 1 : one - other;
  });
}

function sortByTag(
  hosts: HostColumns,
  rows: readonly number[],
  tag: string,
  isDescending: boolean,
): number[] {
  const sign = isDescending ? -1 : 1;
  return rows.toSorted((one, other) => {
    const [a, b] = [tagOf(hosts, tag, one), tagOf(hosts, tag, other)];
    if (a === b) return one - other;
    if (a === null || b === null) return a === null ? 1 : -1;
    return a < b ? -sign : sign;
  });
}

function keys(hosts: HostColumns, name: string): (row: number) => number {
  switch (name) {
    case 'status':
      return (row) => hosts.status[row] as number;
    case 'status_since':
      return (row) => hosts.statusSince[row] as number;
    case 'last_seen':
      return (row) => hosts.lastSeen[row] as number;
    case 'cpu_percent':
    case 'memory_percent':
    case 'disk_percent':
      return (row) => hosts.metrics[name][row] as number;
    case 'alerts':
      // A critical alert weighs more than any number of warnings.
      return (row) =>
        (hosts.critical[row] as number) * 1e6 +
        (hosts.warning[row] as number) * 1e3 +
        (hosts.info[row] as number);
    default:
      return (row) => row;
  }
}
