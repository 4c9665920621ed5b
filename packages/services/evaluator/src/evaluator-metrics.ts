import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Changes } from './evaluation/changes.ts';
import type { InstanceLimit } from './evaluation/instance-limit.ts';

/** Samples older than this are backfilled and not observed: their age is no latency of Tidewatch. */
const BACKFILL_MS = 900_000;

export interface EvaluatorMetrics {
  /** Counts the work of a committed transaction. */
  committed(changes: Changes): void;
  rolledBack(): void;
  /** Observes the seconds from publication to the end of evaluation. */
  lag(seconds: number): void;
}

/** Registers the evaluator’s metrics; the callbacks are called at each commit. */
export function evaluatorMetrics(
  metrics: Metrics,
  held: {
    rules(): number;
    services(): number;
    waiting(): number;
    instances(): Pick<InstanceLimit, 'limit' | 'near'>;
  },
): EvaluatorMetrics {
  const evaluatedInstances = metrics.counter(
    'tidewatch_evaluator_alert_instances_evaluated_total',
    'Samples evaluated, times the rules that evaluated them.',
  );
  const late = metrics.counter(
    'tidewatch_evaluator_alert_instances_late_total',
    'Samples not evaluated by a rule because it had evaluated a newer one.',
  );
  const skewed = metrics.counter(
    'tidewatch_evaluator_payloads_skewed_total',
    'Payloads not evaluated because their time was more than 5 minutes ahead.',
  );
  const steps = metrics.counter(
    'tidewatch_evaluator_clock_steps_total',
    'Clocks of hosts that were detected as set back; the samples of such a host are evaluated in the order of arrival.',
  );
  const transitions = metrics.counter('tidewatch_alert_transitions_total', 'Transitions of alert states.', [
    'kind',
  ]);
  const heldBack = metrics.counter(
    'tidewatch_alert_instances_held_back_total',
    'Breaches that began no alert instance, since their organization had reached its limit.',
  );
  const instances = metrics.gauge(
    'tidewatch_alert_instances_active',
    'Pending and active alert instances of organizations that have used up 80 % of their limit.',
    ['organization'],
  );
  const limited = metrics.gauge(
    'tidewatch_alert_instances_limit',
    'Pending and active alert instances that each organization may have.',
  );
  if (Number.isFinite(held.instances().limit)) limited.set(held.instances().limit);
  const shown = new Set<string>();
  const rollbacks = metrics.counter(
    'tidewatch_evaluator_rollbacks_total',
    'Transactions that were rolled back and evaluated again.',
  );
  const lag = metrics.histogram(
    'tidewatch_evaluator_lag_seconds',
    'From publication to the end of evaluation.',
  );
  const stages = metrics.histogram(
    'tidewatch_alert_latency_seconds',
    'How long each step took of the samples that fired alerts, backfilled ones left out.',
    ['step'],
  );
  const gauge = metrics.gauge(
    'tidewatch_evaluator_held',
    'Rules and services in memory, and values that wait to be stored.',
    ['kind'],
  );
  const sample = () => {
    gauge.set({ kind: 'rules' }, held.rules());
    gauge.set({ kind: 'services' }, held.services());
    gauge.set({ kind: 'unwritten_values' }, held.waiting());
    const near = new Map(held.instances().near());
    for (const organization of shown) {
      if (near.has(organization)) continue;
      shown.delete(organization);
      instances.remove({ organization });
    }
    for (const [organization, count] of near) {
      shown.add(organization);
      instances.set({ organization }, count);
    }
  };
  return {
    committed(changes) {
      if (changes.evaluatedInstances > 0) evaluatedInstances.inc(changes.evaluatedInstances);
      if (changes.lateInstances > 0) late.inc(changes.lateInstances);
      if (changes.skewedPayloads > 0) skewed.inc(changes.skewedPayloads);
      if (changes.clockSteps > 0) steps.inc(changes.clockSteps);
      if (changes.heldBack > 0) heldBack.inc(changes.heldBack);
      for (const [kind, count] of changes.transitions) transitions.inc({ kind }, count);
      for (const {
        to,
        from,
        sample: evaluated,
        receivedAt,
        publishedAt,
        consumedAt,
        createdAt,
      } of changes.steps) {
        if (to !== 'firing' || from === 'firing' || from === 'recovering') continue;
        if (receivedAt === null || publishedAt === null || consumedAt === null) continue;
        if (receivedAt - evaluated.at > BACKFILL_MS) continue;
        stages.observe({ step: 'received' }, Math.max(0, receivedAt - evaluated.at) / 1_000);
        stages.observe({ step: 'published' }, Math.max(0, publishedAt - receivedAt) / 1_000);
        stages.observe({ step: 'consumed' }, Math.max(0, consumedAt - publishedAt) / 1_000);
        stages.observe({ step: 'fired' }, Math.max(0, createdAt - consumedAt) / 1_000);
      }
      sample();
    },
    rolledBack: () => rollbacks.inc(),
    lag: (seconds) => lag.observe(seconds),
  };
}
