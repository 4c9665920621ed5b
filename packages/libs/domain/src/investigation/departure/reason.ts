import type { Facts } from '../facts.ts';
import { type DepartedMetric, departedMetrics } from './departed-metrics.ts';
import { explainingMetrics } from './explaining-metrics.ts';
import { mainMetric } from './main-metric.ts';

/** The metrics, resources or others, by which a host left its history. */
export interface Reason {
  /** The main one of them (`mainMetric`). */
  readonly metric: string;
  /** 0 to 1: how well the one that went furthest explains trouble. */
  readonly score: number;
}

/** The metrics that explain trouble (`explainingMetrics`) by which a compared host left its history; null if none did. */
export function reasonOf(serviceId: string, facts: Facts): Reason | null {
  return mainOf(explainingMetrics(facts).get(serviceId) ?? []);
}

/** The metrics of any kind, effects among them, by which a compared host left its history; null if none did. */
export function departureOfHost(serviceId: string, facts: Facts): Reason | null {
  return mainOf(departedMetrics(facts).get(serviceId) ?? []);
}

function mainOf(departed: readonly DepartedMetric[]): Reason | null {
  const main = mainMetric(departed);
  if (main === null) return null;
  return { metric: main.metric, score: Math.max(...departed.map(({ score }) => score)) };
}
