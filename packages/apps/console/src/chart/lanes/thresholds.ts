import type { Condition } from '@tidewatch/contracts/rules/condition';
import { CONDITION_FACTS } from '@tidewatch/contracts/rules/condition';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Unit } from '@tidewatch/contracts/values/unit';
import { formatValue } from '../../components/number/number-format.ts';
import type { ChartPoint } from '../data/gaps.ts';
import { breachedSpans } from '../data/points.ts';
import type { Range } from '../data/range.ts';
import type { PictureThreshold } from '../plot/picture.ts';

const ORDER: readonly Severity[] = ['critical', 'warning', 'info'];

/** A threshold of a rule that evaluates the metric of a chart. */
export interface ChartThreshold {
  ruleId: string;
  ruleName: string;
  severity: Severity;
  condition: Condition;
  threshold: number;
  thresholdMax: number | null;
  recoveryThreshold: number | null;
  durationMinutes: number;
}

/** "critical: above 97 % for 5 min". */
export function thresholdText(given: ChartThreshold, unit: Unit | null, metric: string): string {
  const limit = (value: number | null) => formatValue(value, unit, metric);
  const words = CONDITION_FACTS[given.condition].words(limit(given.threshold), limit(given.thresholdMax));
  return `${given.severity}: ${words}${given.durationMinutes > 0 ? ` for ${given.durationMinutes} min` : ''}`;
}

/** The lines that thresholds are on the axis of values, each once. */
export function thresholdLines(thresholds: readonly ChartThreshold[]): PictureThreshold[] {
  const lines = new Map<string, PictureThreshold>();
  const add = (value: number | null, severity: Severity, isRecovery: boolean) => {
    if (value !== null) lines.set(`${value} ${isRecovery}`, { value, severity, isRecovery });
  };
  for (const { severity, condition, threshold, thresholdMax, recoveryThreshold } of thresholds) {
    add(threshold, severity, false);
    if (CONDITION_FACTS[condition].isRange) add(thresholdMax, severity, false);
    add(recoveryThreshold, severity, true);
  }
  return [...lines.values()];
}

/** The times at which the values of a line breach thresholds, with the worst severity. */
export function breachesOf(
  thresholds: readonly ChartThreshold[],
  points: readonly ChartPoint[],
  stepMs: number,
): { span: Range; severity: Severity }[] {
  const worstFirst = [...thresholds].sort((a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity));
  const breachable = worstFirst.map(({ condition, threshold, thresholdMax, severity }) => ({
    limits: { condition, threshold, threshold_max: thresholdMax, recovery_threshold: null },
    mark: severity,
  }));
  return breachedSpans(points, breachable, stepMs).map(({ span, mark }) => ({ span, severity: mark }));
}

/** Thresholds of one value and severity, which share a button. */
export function thresholdGroups(thresholds: readonly ChartThreshold[]): ChartThreshold[][] {
  const groups = Map.groupBy(thresholds, ({ threshold, severity }) => `${threshold} ${severity}`);
  return [...groups.values()].sort(([a], [b]) => (b?.threshold ?? 0) - (a?.threshold ?? 0));
}
