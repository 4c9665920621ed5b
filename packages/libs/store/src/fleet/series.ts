import type { Transaction } from '@tidewatch/database/connection';
import {
  type Aggregate,
  type AggregatedSteps,
  rankOf,
  StepAggregate,
} from '@tidewatch/domain/fleet/step-aggregate';
import { readMeans, type SeriesSteps } from '../series/read.ts';
import type { FleetHost } from './hosts.ts';

/** The maximum number of hosts that one statement reads, fewer if each has many steps: the result is held in memory. */
const HOSTS_AT_ONCE = 500;
const POINTS_AT_ONCE = 50_000;

export interface FleetRequest extends SeriesSteps {
  hosts: readonly FleetHost[];
  aggregate: Aggregate;
  /** Whether each host is a group, named after it. */
  byHost: boolean;
  /** The number of groups with the highest mean, highest first; null for all groups, by name. */
  top: number | null;
  /** Aborts the query between two statements, with the signal's reason. */
  signal: AbortSignal;
}

/** The values of one group over time; `at` holds the start of each step in ms. */
export interface FleetSeries {
  group: string | null;
  at: number[];
  value: number[];
}

/**
 * Aggregates the averages of hosts in each step, by group. Each host is read from the same tiers as its own series, so that both
 * agree. Must be called in a transaction with one snapshot. Groups without points are left out.
 */
export async function readFleetSeries(tx: Transaction, request: FleetRequest): Promise<FleetSeries[]> {
  const { hosts, stepMs, from, to, aggregate, byHost, signal } = request;
  const first = Math.floor(from / stepMs);
  const steps = Math.max(0, Math.ceil(to / stepMs) - first);
  const groups = new Map<string | null, StepAggregate>();
  const atOnce = Math.max(1, Math.min(HOSTS_AT_ONCE, Math.floor(POINTS_AT_ONCE / Math.max(1, steps))));
  // Groups hosts by slot, since a statement reads the same slots of all of its blocks.
  for (const alike of Map.groupBy(hosts, ({ slot }) => slot).values())
    for (let start = 0; start < alike.length; start += atOnce) {
      signal.throwIfAborted();
      const part = alike.slice(start, start + atOnce);
      for (const [{ host, group }, { at, avg }] of await readMeans(tx, request, part)) {
        const into = groupOf(byHost ? host : group);
        for (const [index, time] of at.entries()) into.add(time / stepMs - first, avg[index] as number);
      }
    }
  const finished = [...groups].map(([group, gathered]) => ({ group, ...gathered.finish() }));
  return chosen(finished, request.top).map(({ group, step, value }) => ({
    group,
    at: step.map((each) => (first + each) * stepMs),
    value,
  }));

  function groupOf(name: string | null): StepAggregate {
    let group = groups.get(name);
    if (group === undefined) {
      group = new StepAggregate(aggregate, steps);
      groups.set(name, group);
    }
    return group;
  }
}

type Finished = AggregatedSteps & { group: string | null };

function chosen(groups: readonly Finished[], top: number | null): Finished[] {
  const present = groups.filter(({ step }) => step.length > 0).sort(byName);
  if (top === null) return present;
  const ranked = present.map((group) => ({ group, rank: rankOf(group) })).sort((a, b) => b.rank - a.rank);
  return ranked.slice(0, top).map(({ group }) => group);
}

/** Compares group names byte by byte, as collation "C" of PostgreSQL does; null sorts last. */
function byName({ group: a }: Finished, { group: b }: Finished): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
