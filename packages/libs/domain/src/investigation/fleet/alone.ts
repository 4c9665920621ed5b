import type { Facts } from '../facts.ts';
import { isPassedOn } from '../metric-class.ts';
import { blameOf } from './blame.ts';
import { passedOnTo } from './passed-on.ts';

/**
 * Whether the symptom is one that hosts pass on to each other, and rose on the alerting host while no other host that has the metric rose enough to
 * pass it on: then the trouble is of the alerting host, as far as metrics show it.
 */
export function isAlone(facts: Facts): boolean {
  const ranking = blameOf(facts)?.ranking;
  if (ranking === undefined || ranking.symptom.movement.rise === null) return false;
  const passedOn = passedOnTo(ranking.symptom);
  const others = ranking.hosts.filter(({ same }) => same !== null);
  return isPassedOn(ranking.symptom.facts.metric) && others.every(({ same }) => passedOn(same) < 1);
}
