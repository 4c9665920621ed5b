import {
  type Aggregate,
  type AggregatedSteps,
  rankOf,
  StepAggregate,
} from '@tidewatch/domain/fleet/step-aggregate';
import type { Transaction } from '../database/connection.ts';
import { readMeans, type SeriesSteps } from '../series/read.ts';
import type { FleetHost } from './hosts.ts';

/** Hosts that one statement reads, fewer where each has many steps: what it answers lies in memory. */
const HOSTS_AT_ONCE = 500;
const POINTS_AT_ONCE = 50_000;

export interface FleetRequest extends SeriesSteps {
  hosts: readonly FleetHost[];
  aggregate: Aggregate;
  /** Each host a group of its own, named after it. */
  byHost: boolean;
  /** How many groups, those whose points have the greatest mean, greatest first; null for all, by name. */
  top: number | null;
  /** Stops between two statements once it is aborted, with its reason. */
  signal: AbortSignal;
}

/** One group over time; `at` is the start of a step in ms. */
export interface FleetSeries {
  group: string | null;
  at: number[];
  value: number[];
}

/**
 * What hosts come to in each step, group by group: of each host its average there, from the same stretches of tiers as its
 * own series, so that both agree whatever was rolled up so far. To be called in a transaction of one snapshot. Groups
 * without a point are left out.
 */
export async function readFleetSeries(tx: Transaction, request: FleetRequest): Promise<FleetSeries[]> {
  const { hosts, stepMs, from, to, aggregate, byHost, signal } = request;
  const first = Math.floor(from / stepMs);
  const steps = Math.max(0, Math.ceil(to / stepMs) - first);
  const groups = new Map<string | null, StepAggregate>();
  const atOnce = Math.max(1, Math.min(HOSTS_AT_ONCE, Math.floor(POINTS_AT_ONCE / Math.max(1, steps))));
  // Hosts with the metric in one slot share a statement: each slot of it is read of every block.
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

/** As collation "C" orders names, null last. */
function byName({ group: a }: Finished, { group: b }: Finished): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
