import { type Delivery as BusDelivery, type Consumer, DONE, type Verdict } from '@tidewatch/bus/bus';
import type { Transaction } from '@tidewatch/database/connection';
import type { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { Turn } from '@tidewatch/store/event-loop/turn';
import { markChanged } from '@tidewatch/store/notifications/withheld';
import { SilenceSet } from '@tidewatch/store/silences/silence-set';
import type { AttemptOptions } from './delivery/attempt.ts';
import { createDelivery } from './delivery/delivery.ts';
import { createHeartbeat } from './heartbeat/heartbeat.ts';
import { notifierMetrics } from './notifier-metrics.ts';
import { changedBy } from './planning/changed-by.ts';
import { type NoticeEvent, readNoticeEvent } from './planning/notice-event.ts';
import { type PlanCounts, planEvents } from './planning/plan-events.ts';
import { planSubscriptions } from './planning/plan-subscriptions.ts';
import type { PlanningOptions } from './planning/planning-options.ts';
import { readSubscribedEvent, type SubscribedEvent } from './planning/subscribed-event.ts';
import { startUpkeep, type Upkeep } from './upkeep/upkeep.ts';

export interface NotifierOptions extends AttemptOptions, Omit<PlanningOptions, 'silences'> {
  metrics: Metrics;
  logger: Logger;
  commits?: CommitSignal | undefined;
  /** The base URL of the product, without a slash at the end; null leaves links out of reminders. */
  publicUrl: string | null;
  /** The outside watcher that is called while everything works; the intervals of its calls and of probes, ms. */
  heartbeat: { url: string | undefined; everyMs: number; probeEveryMs: number };
  /** Whether the writer, which no probe passes through, makes progress. Absent where it runs in this process. */
  isWriterMoving?: () => Promise<boolean>;
  /** How often the queue is polled, ms; a new notification is delivered without waiting for that. Default 250. */
  pollEveryMs?: number;
  /** How often upkeep checks for due reminders and withheld notices, ms. Default 1,000. */
  upkeepEveryMs?: number;
}

export interface Notifier {
  /** The consumer of the topic of events, which the bus runs. */
  consumer: Consumer<unknown, Transaction>;
  start(): void;
  /** Why the notifier does not work at the moment, as a list; empty while it works. */
  reasons(): string[];
  /** Claims nothing more and waits some seconds for running attempts; another notifier repeats the others. */
  stop(): Promise<void>;
}

/** The queue counts as stalled if it was not polled for this long, ms. */
const STALLED_MS = 15_000;

/** Plans notifications in the transaction that consumes their events, and delivers what is queued. */
export function createNotifier(options: NotifierOptions): Notifier {
  const { clock, logger } = options;
  const metrics = notifierMetrics(options.metrics);
  const planning: PlanningOptions = { ...options, silences: new SilenceSet() };
  const delivery = createDelivery({ ...options, metrics });
  const isDelivering = () => {
    const at = delivery.polledAt();
    return at !== null && clock() - at < STALLED_MS;
  };
  const heartbeat = createHeartbeat({
    ...options.heartbeat,
    clock,
    logger,
    metrics: options.metrics,
    areOthersWorking: async () => isDelivering() && (await (options.isWriterMoving?.() ?? true)),
  });
  let planned: PlanCounts = new Map();
  let probes: unknown[] = [];
  let hasPlanned = false;
  let upkeep: Upkeep | undefined;

  function read({ value }: BusDelivery<unknown>): NoticeEvent | SubscribedEvent | null | Verdict {
    try {
      return readNoticeEvent(value) ?? readSubscribedEvent(value);
    } catch (error) {
      metrics.unreadable();
      logger.error({ err: error }, 'an event is invalid and becomes a dead letter');
      return { kind: 'deadLetter', reason: 'not an event that this version knows' };
    }
  }

  return {
    consumer: {
      name: 'notifier',
      prompt: true,
      async handle(batch, tx) {
        const notices: NoticeEvent[] = [];
        const subscribed: SubscribedEvent[] = [];
        const verdicts: Verdict[] = [];
        const turn = new Turn();
        for (const delivered of batch) {
          const event = read(delivered);
          verdicts.push(event !== null && 'kind' in event ? event : DONE);
          if (event !== null && 'transition' in event) notices.push(event);
          else if (event !== null && !('kind' in event)) subscribed.push(event);
          if (turn.isOver) await turn.yieldWhenDue();
        }
        probes = batch.map(({ value }) => value);
        hasPlanned = notices.length + subscribed.length > 0;
        planned = await planEvents(tx, notices, clock(), planning);
        await markChanged(tx, subscribed.flatMap(changedBy));
        const queued = await planSubscriptions(tx, subscribed, clock(), planning);
        if (queued > 0) planned.set('queued', (planned.get('queued') ?? 0) + queued);
        return verdicts;
      },
      committed() {
        metrics.planned(planned);
        if (planned.size > 0) delivery.nudge();
        if (hasPlanned) upkeep?.planned();
        for (const probe of probes) heartbeat.take(probe);
        planned = new Map();
        probes = [];
      },
      rolledBack() {
        planned = new Map();
        probes = [];
      },
    },
    start() {
      delivery.start();
      upkeep = startUpkeep({ ...options, ...planning, metrics, silences: new SilenceSet() });
      heartbeat.start();
    },
    reasons: () => (isDelivering() ? [] : ['the queue of notifications is not being polled']),
    async stop() {
      await Promise.all([heartbeat.stop(), upkeep?.stop(), delivery.stop()]);
    },
  };
}
