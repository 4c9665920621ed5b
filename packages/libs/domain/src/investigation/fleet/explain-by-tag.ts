import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Facts } from '../facts.ts';
import { symptomOf } from '../symptom/symptom.ts';
import type { Affected } from './affected.ts';

/** A tag value that the affected hosts have in common. */
export interface TagExplanation {
  readonly key: string;
  readonly value: string;
  /** Affected hosts that have the tag value, the alerting one included. */
  readonly hits: number;
  /** All compared hosts that have the tag value. */
  readonly carriers: number;
  /** The number of all affected hosts. */
  readonly affected: number;
  /** The number of all hosts that were compared. */
  readonly compared: number;
  /** `hits / carriers`, smoothed towards one half as if there were one more affected and one more unaffected host. */
  readonly precision: number;
  readonly recall: number;
  /** The probability of at least as many hits among random hosts, times the number of tag values tried; at most 1. */
  readonly chance: number;
  /** 0 to 1 */
  readonly score: number;
}

/** The prior odds that affected hosts share a tag value by coincidence rather than because of a common cause. */
const COINCIDENCE = 5;
/** The same for a value that a change gave to hosts shortly before the trouble: that one was not picked from all values. */
const COINCIDENCE_OF_CHANGE = 0.5;
/** How long before the trouble a change may have been made, ms, and how long after its first sign, since steps are coarse. */
const BEFORE_MS = 15 * MINUTE_MS;
const AFTER_MS = MINUTE_MS;

/** The keys of those tags of the alerting host whose value a change gave to hosts shortly before the trouble. */
export function changedTags(facts: Facts): ReadonlySet<string> {
  const { startedAt } = symptomOf(facts);
  const near = facts.changes.filter(({ at }) => at >= startedAt - BEFORE_MS && at <= startedAt + AFTER_MS);
  const own = Object.entries(facts.service.tags);
  return new Set(
    own.filter(([key, value]) => near.some(({ tags }) => tags[key] === value)).map(([key]) => key),
  );
}

/**
 * Finds the tag value of the alerting host that best explains which hosts are affected, by precision and recall
 * (Adtributor, NSDI 2014) reduced by chance (Fisher's exact test, Bonferroni-corrected). A value that a change
 * gave to hosts shortly before the trouble is the less probably a coincidence. Null if no two affected hosts share a value.
 */
export function explainByTag(facts: Facts, { moved, calm }: Affected): TagExplanation | null {
  const affected = [facts.service.tags, ...moved.map(({ peer }) => peer.tags)];
  const others = calm.map(({ peer }) => peer.tags);
  const own = Object.entries(facts.service.tags);
  const recent = changedTags(facts);
  const explanations = own.flatMap(([key, value]): TagExplanation[] => {
    const hits = affected.filter((tags) => tags[key] === value).length;
    const carriers = hits + others.filter((tags) => tags[key] === value).length;
    if (hits < 2) return [];
    const counts = { hits, carriers, affected: affected.length, compared: affected.length + others.length };
    const precision = (hits + 0.5) / (carriers + 1);
    const recall = hits / affected.length;
    const changed = recent.has(key);
    const chance = Math.min(1, (changed ? 1 : own.length) * fisherTail(counts));
    const odds = changed ? COINCIDENCE_OF_CHANGE : COINCIDENCE;
    return [
      {
        key,
        value,
        ...counts,
        precision,
        recall,
        chance,
        score: (precision * recall) / (1 + odds * chance),
      },
    ];
  });
  return explanations.sort((a, b) => b.score - a.score)[0] ?? null;
}

/** The probability of at least `hits` affected hosts among `carriers` drawn from `compared` without replacement. */
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
