import type { Facts } from '../facts.ts';
import { isOfUnknownClass, reasonResourceOf } from '../metric-class.ts';
import { type DepartedMetric, departedMetrics, weightOf } from './departed-metrics.ts';
import { rangesOfOwn } from './main-metric.ts';
import { seenAgain } from './seen-again.ts';

/** Metrics whose scores differ by a smaller share went about as far as their floors allow. */
const TIED = 0.1;

const computed = new WeakMap<Facts, ReadonlyMap<string, readonly DepartedMetric[]>>();

/**
 * The metrics of each compared host, by `serviceId`, that left their history and explain trouble of the host, with how well they do, 0 to 1:
 * its resources, and metrics of which the names say nothing, but for the one that alerted. These count by what the resources of all hosts leave.
 */
export function explainingMetrics(facts: Facts): ReadonlyMap<string, readonly DepartedMetric[]> {
  const known = computed.get(facts);
  if (known !== undefined) return known;
  const all = [...departedMetrics(facts).values()].flat();
  const resources = all.filter(({ metric }) => reasonResourceOf(metric) !== null);
  const others = all.filter(({ metric }) => metric !== facts.metric && isOfUnknownClass(metric));
  const left = 1 - maxScore(resources);
  const unknown = newBesideSymptom(asFarAsAlone(others), facts);
  const explaining = [...resources, ...unknown.map((one) => ({ ...one, score: left * one.score }))];
  const byHost = Map.groupBy(explaining, ({ serviceId }) => serviceId);
  computed.set(facts, byHost);
  return byHost;
}

/** Scores metrics of unknown class by what they say beside the symptom: one that is the symptom seen again explains nothing. */
function newBesideSymptom(all: readonly DepartedMetric[], facts: Facts): DepartedMetric[] {
  const again = seenAgain(facts);
  return all.map((one) => ({ ...one, score: one.score * (1 - again(one)) }));
}

/** Divides metrics that explain trouble into resources and metrics of unknown class. */
export function byKind<D extends { readonly metric: string }>(
  all: readonly D[],
): { resources: D[]; unknown: D[] } {
  const isResource = ({ metric }: D) => reasonResourceOf(metric) !== null;
  return { resources: all.filter(isResource), unknown: all.filter((each) => !isResource(each)) };
}

/** The largest score of the metrics; 0 without any. */
export function maxScore(all: readonly { readonly score: number }[]): number {
  return Math.max(0, ...all.map(({ score }) => score));
}

/**
 * Scores metrics of unknown class. Effects travel between hosts, so each counts as far as it stands out from the same metric of any other
 * host, by their own ranges. Those that are tied for the furthest count by their own ranges too: effects and causes that
 * rise from nothing are all ten floors away.
 */
function asFarAsAlone(all: readonly DepartedMetric[]): DepartedMetric[] {
  const most = maxScore(all);
  const measured = all.map((one) => ({ one, own: rangesOfOwn(one) }));
  return measured.map(({ one, own }) => {
    const others = measured.filter((each) => each.one !== one && each.one.metric === one.metric);
    const next = Math.max(0, ...others.map((each) => each.own));
    const strength = one.score >= (1 - TIED) * most ? Math.max(one.score, weightOf(own)) : one.score;
    return { ...one, score: own > next ? strength * (1 - next / own) : 0 };
  });
}
