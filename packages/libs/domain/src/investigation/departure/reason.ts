import type { Facts } from '../facts.ts';
import { departedMetrics } from './departed-metrics.ts';
import { byKind, explainingMetrics, maxScore } from './explaining-metrics.ts';
import { mainMetric } from './main-metric.ts';

/** The metrics, resources or others, by which a host left its history. */
export interface Reason {
  /** The main one of them (`mainMetric`). */
  readonly metric: string;
  /** 0 to 1: how well the one that went furthest explains trouble. */
  readonly score: number;
}

/** The metrics that explain trouble by which a host left its history, with how well each kind of them does, 0 to 1. */
export interface ExplainingReason extends Reason {
  readonly ofResources: number;
  readonly ofUnknown: number;
}

/** The metrics that explain trouble (`explainingMetrics`) by which a compared host left its history; null if none did. */
export function reasonOf(serviceId: string, facts: Facts): ExplainingReason | null {
  const all = explainingMetrics(facts).get(serviceId) ?? [];
  const { resources, unknown } = byKind(all);
  const [ofResources, ofUnknown] = [maxScore(resources), maxScore(unknown)];
  const main = mainMetric(ofUnknown > ofResources ? unknown : resources);
  if (main === null) return null;
  return { metric: main.metric, score: Math.max(ofResources, ofUnknown), ofResources, ofUnknown };
}

/** The metrics of any kind, effects among them, by which a compared host left its history; null if none did. */
export function departureOfHost(serviceId: string, facts: Facts): Reason | null {
  const all = departedMetrics(facts).get(serviceId) ?? [];
  const main = mainMetric(all);
  return main === null ? null : { metric: main.metric, score: maxScore(all) };
}
