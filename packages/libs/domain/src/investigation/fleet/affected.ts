import type { HostRanking, RankedHost } from './rank-hosts.ts';

/** Hosts that took part in the symptom, and those that certainly did not; the rest cannot be told. */
export interface Affected {
  readonly moved: readonly RankedHost[];
  readonly calm: readonly RankedHost[];
}

/** From this likeness and strength on, a host moved with the symptom. */
const TOGETHER = 0.5;
const STRENGTH = 0.3;

export function affectedHosts({ symptom, hosts }: HostRanking): Affected {
  if (symptom.evident < 0.5) return { moved: [], calm: [] };
  const moved = hosts.filter(({ best }) => best.together >= TOGETHER && best.movement.strength >= STRENGTH);
  const calm = hosts.filter((host) => {
    const { together, movement } = host.same ?? host.best;
    return !moved.includes(host) && (movement.strength < STRENGTH || together < TOGETHER / 2);
  });
  return { moved, calm };
}
