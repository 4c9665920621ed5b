import { type Consumer, type Delivery, DONE, type Verdict } from '@tidewatch/bus/bus';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Transaction } from '@tidewatch/store/database/connection';
import { type AlertReference, type Opened, openInvestigations } from '@tidewatch/store/investigations/open';
import { readFiredAlert } from './consuming/fired-alert.ts';
import { investigatorMetrics } from './investigator-metrics.ts';
import { createWorker, type WorkerOptions } from './run/worker.ts';

export interface InvestigatorOptions extends Omit<WorkerOptions, 'metrics'> {
  metrics: Metrics;
  /** Milder alerts begin no investigation. */
  severityFloor: Severity;
}

export interface Investigator {
  /** Subscribe it to the topic of events. */
  consumer: Consumer<unknown, Transaction>;
  start(): void;
  /** Why it does not do its work at the moment; empty while it does. */
  reasons(): string[];
  /** Leaves what is under way to whoever comes next. */
  stop(): Promise<void>;
}

/** A queue that was not looked at for so long stands still, ms. */
const STALLED_MS = 30_000;
const NOTHING: Opened = { opened: 0, joined: 0 };

/** Opens investigations of alerts, in the transaction that moves past their events, and runs what is in the queue. */
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
      logger.error({ err: error }, 'an event cannot be read');
      return { kind: 'deadLetter', reason: 'not an event as this version knows them' };
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
      const at = worker.lookedAt();
      return at !== null && clock() - at < STALLED_MS ? [] : ['the queue of investigations is not looked at'];
    },
    stop: worker.stop,
  };
}
