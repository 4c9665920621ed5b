import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { QueueState } from '@tidewatch/store/notifications/queue-state';
import type { PlanCounts } from './planning/plan-events.ts';

export type NotifierMetrics = ReturnType<typeof notifierMetrics>;

const DELAY_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 10, 30, 60, 300, 3_600];

export function notifierMetrics(metrics: Metrics) {
  const planned = metrics.counter(
    'tidewatch_notifications_planned_total',
    'Notices decided, by outcome: queued, or why the channel is not notified.',
    ['outcome'],
  );
  const unreadable = metrics.counter(
    'tidewatch_notifier_unreadable_events_total',
    'Events about alerts that could not be read.',
  );
  const attempts = metrics.histogram('tidewatch_notification_attempt_seconds', 'Duration of attempts.', [
    'kind',
  ]);
  const settled = metrics.counter(
    'tidewatch_notifications_total',
    'Attempts by kind of channel and outcome: delivered, retry, failed, suppressed, not_configured.',
    ['kind', 'outcome'],
  );
  const delay = metrics.histogram(
    'tidewatch_notification_delay_seconds',
    'Time from the decision to notify a channel to the answer of the destination.',
    ['kind'],
    DELAY_BUCKETS,
  );
  const repeated = metrics.counter(
    'tidewatch_notifications_repeated_total',
    'Attempts repeated after a process ended before recording an outcome: the receiver may get both.',
  );
  const queued = metrics.gauge('tidewatch_notifications_queued', 'Notifications in the queue.');
  const oldest = metrics.gauge(
    'tidewatch_notifications_oldest_seconds',
    'Age of the oldest notification in the queue.',
  );
  const breakers = metrics.gauge(
    'tidewatch_destination_breakers',
    'Destinations whose circuit breaker is not closed after consecutive failures, by state.',
    ['state'],
  );
  return {
    /** Counts the notices of a committed plan, by outcome. */
    planned(counts: PlanCounts) {
      for (const [outcome, count] of counts) planned.inc({ outcome }, count);
    },
    unreadable: () => unreadable.inc(),
    attempted: (kind: ChannelKind, seconds: number) => attempts.observe({ kind }, seconds),
    settled: (kind: ChannelKind, outcome: string, count: number) => settled.inc({ kind, outcome }, count),
    delayed: (kind: ChannelKind, seconds: number) => delay.observe({ kind }, Math.max(0, seconds)),
    repeated: () => repeated.inc(),
    queue(state: QueueState, now: number) {
      queued.set(state.queued);
      oldest.set(state.oldestAt === null ? 0 : Math.max(0, now - state.oldestAt) / 1_000);
      breakers.set({ state: 'open' }, state.open);
      breakers.set({ state: 'half_open' }, state.halfOpen);
    },
  };
}
