import type { Facts } from '../facts.ts';
import type { Affected } from './affected.ts';

/** A tag value that the affected hosts have in common. */
export interface TagExplanation {
  readonly key: string;
  readonly value: string;
  /** Affected hosts with it, the alerting one included. */
  readonly hits: number;
  /** Hosts with it that were compared. */
  readonly carriers: number;
  /** The number of all affected hosts. */
  readonly affected: number;
  /** The number of all hosts that were compared. */
  readonly compared: number;
  /** `hits / carriers`, pulled towards one half as one more host of each sort would. */
  readonly precision: number;
  /** `hits / affected` */
  readonly recall: number;
  /** Chance of as many hits among hosts drawn at random, times the number of values that were tried; at most 1. */
  readonly chance: number;
  /** 0 to 1 */
  readonly score: number;
}

/** How many times as often affected hosts share a tag value by coincidence as because of a common cause. */
const COINCIDENCE = 5;

/**
 * Which tag value explains best who is affected: precision and recall of "has the value" for "is affected", as in the
 * search for the dimensions of a failure (Adtributor: Bhagwan et al., NSDI 2014), less what chance does: Fisher's exact
 * test (1922) corrected for the number of values that the alerting host has (Bonferroni). With few hosts the test rarely is significant, and
 * hosts of which it is unclear whether they moved do not count.
 *
 * @returns the best value that the alerting host has; null where no two affected hosts share one. Of values that fit
 * equally well, one that was changed lately comes first.
 */
export function explainByTag(facts: Facts, { moved, calm }: Affected): TagExplanation | null {
  const affected = [facts.service.tags, ...moved.map(({ peer }) => peer.tags)];
  const others = calm.map(({ peer }) => peer.tags);
  const own = Object.entries(facts.service.tags);
  const explanations = own.flatMap(([key, value]): TagExplanation[] => {
    const hits = affected.filter((tags) => tags[key] === value).length;
    const carriers = hits + others.filter((tags) => tags[key] === value).length;
    if (hits < 2) return [];
    const counts = { hits, carriers, affected: affected.length, compared: affected.length + others.length };
    const precision = (hits + 0.5) / (carriers + 1);
    const recall = hits / affected.length;
    const chance = Math.min(1, own.length * fisherTail(counts));
    return [
      {
        key,
        value,
        ...counts,
        precision,
        recall,
        chance,
        score: (precision * recall) / (1 + COINCIDENCE * chance),
      },
    ];
  });
  const changed = (tag: TagExplanation) =>
    facts.changes.some(({ tags }) => tags[tag.key] === tag.value) ? 1 : 0;
  return explanations.sort((a, b) => b.score - a.score || changed(b) - changed(a))[0] ?? null;
}

/** The chance of at least `hits` affected among `carriers` that are drawn from `compared`, without putting back. */
export function fisherTail(counts: {
  readonly hits: number;
  readonly carriers: number;
  readonly affected: number;
  readonly compared: number;
}): number {
  const { hits, carriers, affected, compared } = counts;
  let chance = 0;
  for (let k = hits; k <= Math.min(carriers, affected); k++)
    chance += Math.exp(
      logChoose(affected, k) + logChoose(compared - affected, carriers - k) - logChoose(compared, carriers),
    );
  return Math.min(1, chance);
}

function logChoose(n: number, k: number): number {
  if (k < 0 || k > n) return Number.NEGATIVE_INFINITY;
  let sum = 0;
  for (let i = 1; i <= k; i++) sum += Math.log((n - k + i) / i);
  return sum;
}
