import type { Metrics } from '@tidewatch/runtime/metrics';
import type { Changes } from './judging/changes.ts';

export interface EvaluatorMetrics {
  /** Counts what a committed transaction did. */
  committed(changes: Changes): void;
  rolledBack(): void;
  /** Seconds from publication to the end of judging. */
  lag(seconds: number): void;
}

/** Registers the evaluator's metrics; the callbacks are asked at each scrape. */
export function evaluatorMetrics(
  metrics: Metrics,
  held: { rules(): number; services(): number; waiting(): number },
): EvaluatorMetrics {
  const pairs = metrics.counter(
    'tidewatch_evaluator_pairs_judged_total',
    'Samples judged, times the rules that judged them.',
  );
  const late = metrics.counter(
    'tidewatch_evaluator_pairs_late_total',
    'Samples not judged by a rule because it had judged a newer one.',
  );
  const skewed = metrics.counter(
    'tidewatch_evaluator_payloads_skewed_total',
    'Payloads not judged because they lay more than 5 minutes ahead.',
  );
  const transitions = metrics.counter('tidewatch_alert_transitions_total', 'Transitions of alert states.', [
    'kind',
  ]);
  const rollbacks = metrics.counter(
    'tidewatch_evaluator_rollbacks_total',
    'Transactions that were rolled back and judged again.',
  );
  const lag = metrics.histogram('tidewatch_evaluator_lag_seconds', 'From publication to the end of judging.');
  const gauge = metrics.gauge(
    'tidewatch_evaluator_held',
    'Rules and services in memory, and values that wait to be stored.',
    ['kind'],
  );
  const sample = () => {
    gauge.set({ kind: 'rules' }, held.rules());
    gauge.set({ kind: 'services' }, held.services());
    gauge.set({ kind: 'unwritten_values' }, held.waiting());
  };
  return {
    committed(changes) {
      if (changes.judgedPairs > 0) pairs.inc(changes.judgedPairs);
      if (changes.latePairs > 0) late.inc(changes.latePairs);
      if (changes.skewedPayloads > 0) skewed.inc(changes.skewedPayloads);
      for (const [kind, count] of changes.transitions) transitions.inc({ kind }, count);
      sample();
    },
    rolledBack: () => rollbacks.inc(),
    lag: (seconds) => lag.observe(seconds),
  };
}
