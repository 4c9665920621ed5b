import { FLEET_METRICS, type FleetMetric, type HostColumns, statusOf, tagOf } from './fleet.ts';

/** What the cells of the map show: the status, or a metric in steps. */
export type Fill = 'status' | FleetMetric;

export const FILLS: readonly Fill[] = ['status', ...FLEET_METRICS];

/** The steps of a fill by metric, each of 20 %, and `none` for hosts that never reported it. */
export const STEPS = ['0', '20', '40', '60', '80', 'none'] as const;
export type Step = (typeof STEPS)[number];

export interface FleetFilter {
  /** A part of the name, whatever its case. */
  q: string;
  /** Hosts with any of these states; all if it is empty. */
  statuses: readonly string[];
  /** `name:value`, all of which must match. */
  tags: readonly { name: string; value: string }[];
  fill: Fill;
  /** Steps of the fill, any of which must match; all if it is empty. */
  steps: readonly string[];
}

/** Names in lower case, made once for the names of a fleet: a filter of text is evaluated at each key that is typed. */
const lowerNames = new WeakMap<readonly string[], readonly string[]>();

function lowerNamesOf({ names }: HostColumns): readonly string[] {
  let lower = lowerNames.get(names);
  if (lower === undefined) {
    lower = names.map((name) => name.toLowerCase());
    lowerNames.set(names, lower);
  }
  return lower;
}

/** The rows of the hosts that match, in the order of the fleet. `without` leaves one part of the filter out. */
export function matchingRows(hosts: HostColumns, filter: FleetFilter, without?: 'legend'): number[] {
  const text = filter.q.toLowerCase();
  const byLegend = without !== 'legend';
  const statuses = byLegend ? filter.statuses : [];
  const steps = byLegend && filter.fill !== 'status' ? filter.steps : [];
  const names = text === '' ? [] : lowerNamesOf(hosts);
  const rows: number[] = [];
  for (let row = 0; row < hosts.ids.length; row += 1) {
    if (text !== '' && !(names[row] as string).includes(text)) continue;
    if (statuses.length > 0 && !statuses.includes(statusOf(hosts, row))) continue;
    if (!filter.tags.every(({ name, value }) => tagOf(hosts, name, row) === value)) continue;
    if (steps.length > 0 && !steps.includes(stepOf(hosts, filter.fill as FleetMetric, row))) continue;
    rows.push(row);
  }
  return rows;
}

/** The step of a host's value. Steps are those of 0 to 100 %, whatever the values of other hosts. */
export function stepOf(hosts: HostColumns, metric: FleetMetric, row: number): Step {
  const place = stepPlace(hosts.metrics[metric][row] as number);
  return place === -1 ? 'none' : (STEPS[place] as Step);
}

/** 0 to 4; -1 without a value. */
export function stepPlace(value: number): number {
  if (Number.isNaN(value)) return -1;
  return Math.min(Math.max(Math.floor(value / 20), 0), 4);
}

/** How many of the rows have each state, or each step. */
export function legendCounts(
  hosts: HostColumns,
  rows: readonly number[],
  fill: Fill,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of rows) {
    const key = fill === 'status' ? statusOf(hosts, row) : stepOf(hosts, fill, row);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** `name:value` as the API spells a tag; `splitNameAndValue` of the contract reads it. */
export function writeTag(name: string, value: string): string {
  return `${name.replace(/[\\",:]/g, '\\$&')}:${value}`;
}
