import { type Consumer, type Delivery, DONE, type Verdict } from '@tidewatch/bus/bus';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Transaction } from '@tidewatch/database/connection';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { type AlertReference, type Opened, openInvestigations } from '@tidewatch/store/investigations/open';
import { readFiredAlert } from './consuming/fired-alert.ts';
import { investigatorMetrics } from './investigator-metrics.ts';
import { createWorker, type WorkerOptions } from './run/worker.ts';

export interface InvestigatorOptions extends Omit<WorkerOptions, 'metrics'> {
  metrics: Metrics;
  /** Alerts that are less severe than this are not investigated. */
  severityFloor: Severity;
}

export interface Investigator {
  /** The consumer of the topic of events. */
  consumer: Consumer<unknown, Transaction>;
  start(): void;
  /** Why the investigator is not ready; empty while it is. */
  reasons(): string[];
  /** Interrupts running investigations and releases their claims, so that another process continues them. */
  stop(): Promise<void>;
}

/** The investigator is not ready if it has not polled its queue for this time. */
const MAX_POLL_AGE_MS = 30_000;
const NOTHING: Opened = { opened: 0, joined: 0 };

/** Opens investigations of alerts in the transaction that consumes their events, and runs the investigations of the queue. */
export function createInvestigator(options: InvestigatorOptions): Investigator {
  const { clock, logger, newId, severityFloor } = options;
  const metrics = investigatorMetrics(options.metrics);
  const worker = createWorker({ ...options, metrics });
  let opened = NOTHING;

  function read({ value }: Delivery<unknown>): AlertReference | null | Verdict {
    try {
      return readFiredAlert(value);
    } catch (error) {
      metrics.unreadable();
      logger.error({ err: error }, 'an event is invalid and becomes a dead letter');
      return { kind: 'deadLetter', reason: 'the event does not have the form that this version expects' };
    }
  }

  return {
    consumer: {
      name: 'investigator',
      prompt: true,
      async handle(batch, tx) {
        const alerts: AlertReference[] = [];
        const verdicts = batch.map((delivered): Verdict => {
          const event = read(delivered);
          if (event === null) return DONE;
          if ('kind' in event) return event;
          alerts.push(event);
          return DONE;
        });
        const newInvestigationId = () => newId('inv');
        opened = await openInvestigations(tx, alerts, { now: clock(), newInvestigationId, severityFloor });
        return verdicts;
      },
      committed() {
        metrics.opened(opened);
        if (opened.opened > 0) worker.nudge();
        opened = NOTHING;
      },
      rolledBack() {
        opened = NOTHING;
      },
    },
    start: worker.start,
    reasons() {
      const at = worker.polledAt();
      return at !== null && clock() - at < MAX_POLL_AGE_MS
        ? []
        : [`the queue of investigations has not been polled for ${MAX_POLL_AGE_MS / 1_000} s`];
    },
    stop: worker.stop,
  };
}
