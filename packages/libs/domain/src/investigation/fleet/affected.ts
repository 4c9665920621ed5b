import { firstAt } from '../statistics/slice.ts';
import { MIN_PAST_VALUES } from '../symptom/past.ts';
import type { HostRanking, RankedHost } from './rank-hosts.ts';

/** Hosts with the symptom, hosts without it, and undecided ones. */
export interface Affected {
  readonly moved: readonly RankedHost[];
  readonly calm: readonly RankedHost[];
  readonly unclear: readonly RankedHost[];
}

/** The min similarity to the symptom and min strength from which a host counts as affected. */
const TOGETHER = 0.5;
const STRENGTH = 0.3;
/** The similarity or strength below which a host counts as not affected. */
const APART = 0.25;
const STILL = 0.05;

/**
 * Divides the compared hosts into affected, unaffected and undecided ones; if the symptom is doubtful, all are undecided.
 */
export function affectedHosts({ symptom, hosts }: HostRanking): Affected {
  if (symptom.evident < 0.5) return { moved: [], calm: [], unclear: [] };
  const groups = Object.groupBy(hosts, (host) => {
    const { together, movement } = host.best;
    if (together >= TOGETHER && movement.strength >= STRENGTH) return 'moved';
    if (!isUsualKnown(host, symptom.since)) return 'unclear';
    return together < APART || movement.strength < STILL ? 'calm' : 'unclear';
  });
  const { moved = [], calm = [], unclear = [] } = groups;
  return { moved, calm, unclear };
}

/** Whether enough is known of a host from before the trouble to decide that none of its metrics moved. */
export function isUsualKnown({ best: { facts } }: Pick<RankedHost, 'best'>, since: number | null): boolean {
  if (facts.usual.count >= MIN_PAST_VALUES) return true;
  const { times } = facts.recent;
  return firstAt(times, since ?? times.at(-1) ?? 0) >= MIN_PAST_VALUES;
}
