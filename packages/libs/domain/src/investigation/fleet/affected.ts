import type { HostRanking, RankedHost } from './rank-hosts.ts';

/** Hosts that took part in the symptom, and the others that were compared. */
export interface Affected {
  readonly moved: readonly RankedHost[];
  readonly calm: readonly RankedHost[];
}

/** From this likeness and strength on, a host moved with the symptom. */
const TOGETHER = 0.5;
const STRENGTH = 0.3;

/** Divides the compared hosts; where the symptom itself is doubtful, no one can be told to have moved with it or not. */
export function affectedHosts({ symptom, hosts }: HostRanking): Affected {
  if (symptom.evident < 0.5) return { moved: [], calm: [] };
  const { moved = [], calm = [] } = Object.groupBy(hosts, ({ best }) =>
    best.together >= TOGETHER && best.movement.strength >= STRENGTH ? 'moved' : 'calm',
  );
  return { moved, calm };
}
