import type { Transaction } from '@tidewatch/database/connection';
import type { SeriesGroup } from '@tidewatch/domain/fleet/grouping';
import {
  type Aggregate,
  type AggregatedSteps,
  rankOf,
  StepAggregate,
} from '@tidewatch/domain/fleet/step-aggregate';
import type { StepsRequest } from '../series/series-columns.ts';
import { storedSeries } from '../series/stored-series.ts';
import type { FleetMember } from './members.ts';
import { portionsOf } from './portions.ts';

export interface FleetRequest extends StepsRequest {
  members: readonly FleetMember[];
  aggregate: Aggregate;
  /** The number of groups with the highest mean, highest first; null for all groups, by name. */
  top: number | null;
  /** Aborts the query between two statements, with the signal's reason. */
  signal: AbortSignal;
}

/** The values of one group over time; `at` holds the start of each step in ms. */
export interface FleetSeries extends Omit<SeriesGroup, 'key'> {
  at: number[];
  value: number[];
}

/**
 * Aggregates the averages of series in each step, by group. Each is read from the same tiers as by itself, so that both
 * agree. Must be called in a transaction with one snapshot. Groups without points are left out.
 */
export async function readFleetSeries(tx: Transaction, request: FleetRequest): Promise<FleetSeries[]> {
  const { members, stepMs, from, to, aggregate, signal } = request;
  const first = Math.floor(from / stepMs);
  const steps = Math.max(0, Math.ceil(to / stepMs) - first);
  const groups = new Map<string, { group: SeriesGroup; gathered: StepAggregate }>();
  const blockIds = [...new Set(members.map(({ blockId }) => blockId))];
  const known = await storedSeries.know(tx, blockIds, { from, to });
  for (const portion of portionsOf(members, steps)) {
    signal.throwIfAborted();
    for (const [{ group }, { at, mean }] of await storedSeries.means(tx, portion, request, known)) {
      const into = gathering(group);
      for (const [index, time] of at.entries()) into.add(time / stepMs - first, mean[index] as number);
    }
  }
  const finished = [...groups.values()].map(({ group, gathered }) => ({ ...group, ...gathered.finish() }));
  return chosen(finished, request.top).map(({ group, host, part, step, value }) => ({
    group,
    host,
    part,
    at: step.map((each) => (first + each) * stepMs),
    value,
  }));

  function gathering(group: SeriesGroup): StepAggregate {
    const known = groups.get(group.key);
    if (known !== undefined) return known.gathered;
    const gathered = new StepAggregate(aggregate, steps);
    groups.set(group.key, { group, gathered });
    return gathered;
  }
}

type Finished = AggregatedSteps & SeriesGroup;

function chosen(groups: readonly Finished[], top: number | null): Finished[] {
  const present = groups.filter(({ step }) => step.length > 0).sort(byName);
  if (top === null) return present;
  const ranked = present.map((group) => ({ group, rank: rankOf(group) })).sort((a, b) => b.rank - a.rank);
  return ranked.slice(0, top).map(({ group }) => group);
}

/** Compares group names byte by byte, as collation "C" of PostgreSQL does; null sorts last. */
function byName({ group: a, key }: Finished, { group: b, key: other }: Finished): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return (
    Buffer.compare(Buffer.from(a), Buffer.from(b)) || Buffer.compare(Buffer.from(key), Buffer.from(other))
  );
}
