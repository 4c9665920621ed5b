import type { z } from 'zod';
import { CONDITIONS, type Condition } from './rule.ts';

/** Metrics of these kinds are judged by themselves, which this version does not do. */
const SUBJECT_METRIC = /^(?:container|process|host)\./;

/** The checks that concern several fields, or a field's support; each is skipped where its fields are faulty. */
export function checkTogether(rule: Record<string, unknown>, context: z.RefinementCtx): void {
  const { condition, metric, threshold, threshold_max: thresholdMax, recovery_threshold: recovery } = rule;
  const fault = (path: string, code: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message, params: { code } });
  if (typeof metric === 'string' && SUBJECT_METRIC.test(metric)) {
    fault(
      'metric',
      'unsupported',
      'Metrics of containers, processes and of the host itself cannot be judged yet.',
    );
  }
  if (!CONDITIONS.includes(condition as Condition)) return;
  const ranged = condition === 'between' || condition === 'not_between';
  if (ranged && (thresholdMax === null || thresholdMax === undefined)) {
    fault('threshold_max', 'required', `Is required with the condition ${condition}.`);
  } else if (!ranged && typeof thresholdMax === 'number') {
    fault('threshold_max', 'not_allowed', `Must be null with the condition ${condition}.`);
  } else if (typeof thresholdMax === 'number' && typeof threshold === 'number' && thresholdMax < threshold) {
    fault('threshold_max', 'out_of_range', 'Must not be less than threshold.');
  }
  if (typeof recovery !== 'number') return;
  const liesClear = CLEAR_SIDE[condition as Condition];
  if (!liesClear) {
    fault('recovery_threshold', 'not_allowed', `Must be null with the condition ${condition}.`);
  } else if (typeof threshold === 'number' && !liesClear(recovery, threshold)) {
    fault(
      'recovery_threshold',
      'out_of_range',
      'Must lie on the side of threshold where the rule does not hold.',
    );
  }
}

/** Whether a recovery threshold does not itself breach, for the conditions that have a direction. */
const CLEAR_SIDE: Partial<Record<Condition, (recovery: number, threshold: number) => boolean>> = {
  greater_than: (recovery, threshold) => recovery <= threshold,
  greater_than_or_equal: (recovery, threshold) => recovery < threshold,
  less_than: (recovery, threshold) => recovery >= threshold,
  less_than_or_equal: (recovery, threshold) => recovery > threshold,
};
