import { type HostColumns, tagOf } from './fleet.ts';

export interface HostGroup {
  /** The value of the tag; null for hosts without it. */
  value: string | null;
  rows: number[];
  /** The worst state in it, a position in FLEET_STATUSES. */
  worst: number;
}

/**
 * Groups rows by a tag, worst first and then by value, hosts without the tag last among equals; one group without a tag.
 * Groups in `former` keep that order, so that a change of one host moves no other under the pointer.
 */
export function groupRows(
  hosts: HostColumns,
  rows: readonly number[],
  tag: string | undefined,
  former: readonly (string | null)[] = [],
): HostGroup[] {
  if (tag === undefined) return rows.length === 0 ? [] : [groupOf(hosts, null, [...rows])];
  const byValue = new Map<string | null, number[]>();
  for (const row of rows) {
    const value = tagOf(hosts, tag, row);
    const members = byValue.get(value);
    if (members === undefined) byValue.set(value, [row]);
    else members.push(row);
  }
  const places = new Map(former.map((value, place) => [value, place]));
  const placeOf = ({ value }: HostGroup) => places.get(value) ?? Number.POSITIVE_INFINITY;
  return [...byValue]
    .map(([value, members]) => groupOf(hosts, value, members))
    .sort((a, b) => compare(placeOf(a), placeOf(b)) || a.worst - b.worst || compareValues(a.value, b.value));
}

function groupOf(hosts: HostColumns, value: string | null, rows: number[]): HostGroup {
  let worst = Number.POSITIVE_INFINITY;
  for (const row of rows) worst = Math.min(worst, hosts.status[row] as number);
  return { value, rows, worst };
}

function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

function compareValues(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}
