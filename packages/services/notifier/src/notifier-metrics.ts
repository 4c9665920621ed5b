import type { ChannelKind } from '@tidewatch/contracts/rules/rule';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { QueueState } from '@tidewatch/store/notifications/queue-state';
import type { PlanCounts } from './planning/plan-events.ts';

export interface NotifierMetrics {
  /** What a committed plan came to. */
  planned(counts: PlanCounts): void;
  /** Events that could not be read. */
  unreadable(): void;
  attempted(kind: ChannelKind, seconds: number): void;
  settled(kind: ChannelKind, outcome: string, count: number): void;
  /** From the decision to the answer of the destination. */
  told(kind: ChannelKind, seconds: number): void;
  /** An attempt is made again since nobody recorded how the one before ended. */
  repeated(): void;
  queue(state: QueueState, now: number): void;
}

const DELAY_BUCKETS = [0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5, 10, 30, 60, 300, 3_600];

export function notifierMetrics(metrics: Metrics): NotifierMetrics {
  const planned = metrics.counter(
    'tidewatch_notifications_planned_total',
    'Notices decided, by what became of them: queued, or why nobody is told.',
    ['outcome'],
  );
  const unreadable = metrics.counter(
    'tidewatch_notifier_unreadable_events_total',
    'Events about alerts that could not be read.',
  );
  const attempts = metrics.histogram(
    'tidewatch_notification_attempt_seconds',
    'How long destinations take.',
    ['kind'],
  );
  const settled = metrics.counter(
    'tidewatch_notifications_total',
    'Attempts by kind of channel and outcome: delivered, retry, failed, suppressed, not_configured.',
    ['kind', 'outcome'],
  );
  const told = metrics.histogram(
    'tidewatch_notification_delay_seconds',
    'From the decision that somebody is told to the answer of the destination.',
    ['kind'],
    DELAY_BUCKETS,
  );
  const repeated = metrics.counter(
    'tidewatch_notifications_repeated_total',
    'Attempts made again since a process ended between sending and recording: the receiver may have both.',
  );
  const queued = metrics.gauge('tidewatch_notifications_queued', 'Notifications that wait to be delivered.');
  const oldest = metrics.gauge(
    'tidewatch_notifications_oldest_seconds',
    'Age of the oldest notification that waits.',
  );
  const breakers = metrics.gauge(
    'tidewatch_destination_breakers',
    'Destinations that are left alone after failures in a row, by state of their breaker.',
    ['state'],
  );
  return {
    planned(counts) {
      for (const [outcome, count] of counts) planned.inc({ outcome }, count);
    },
    unreadable: () => unreadable.inc(),
    attempted: (kind, seconds) => attempts.observe({ kind }, seconds),
    settled: (kind, outcome, count) => settled.inc({ kind, outcome }, count),
    told: (kind, seconds) => told.observe({ kind }, Math.max(0, seconds)),
    repeated: () => repeated.inc(),
    queue(state, now) {
      queued.set(state.queued);
      oldest.set(state.oldestAt === null ? 0 : Math.max(0, now - state.oldestAt) / 1_000);
      breakers.set({ state: 'open' }, state.open);
      breakers.set({ state: 'half_open' }, state.halfOpen);
    },
  };
}
