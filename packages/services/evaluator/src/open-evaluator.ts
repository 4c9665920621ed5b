import { type Bus, PublicationRefusedError } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { newId } from '@tidewatch/contracts/values/id';
import type { Transaction } from '@tidewatch/database/connection';
import type { BackendService, ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { consoleUrl } from '@tidewatch/runtime/settings/console-settings';
import type { UnpublishedEvent } from '@tidewatch/store/outbox/publish';
import { archiveAfter } from './archiving-settings.ts';
import type { evaluatorSettings } from './config.ts';
import { createEvaluator, type EvaluatorOptions } from './evaluator.ts';
import { createOutboxRelay } from './events/outbox-relay.ts';
import { createPipelineWatch } from './health/pipeline-watch.ts';
import { createSilenceMarks } from './silences/silence-marks.ts';

export interface EvaluatorEnvironment
  extends ServiceEnvironment,
    Pick<EvaluatorOptions, 'sql' | 'directory' | 'awaitsAssignment'> {
  bus: Pick<Bus<Transaction>, 'subscribe' | 'publish'>;
  config: ConfigOf<typeof evaluatorSettings>;
}

/** The interval of polls that commits of this process wake, ms; heartbeats, one a second, check for edits before they are due. */
const SIGNALLED_POLL_MS = 1_500;
/** The same at rest, ms. */
const SIGNALLED_POLL_AT_REST_MS = 5_000;

/** The evaluator: consumes samples, evaluates rules, and emits events through the outbox. */
export function openEvaluator(environment: EvaluatorEnvironment): BackendService {
  const { bus, config, ...shared } = environment;
  const { commits } = shared;
  const relay = createOutboxRelay({
    ...shared,
    publish: (events) => publishEvents(bus, events),
    ...(commits && { pollEveryMs: SIGNALLED_POLL_MS, pollAtRestMs: SIGNALLED_POLL_AT_REST_MS }),
  });
  const emitting = { ...shared, newId, onEvents: relay.nudge };
  const evaluator = createEvaluator({
    ...emitting,
    archiveAfter: archiveAfter(config),
    alertsAtOnce: config.alertsAtOnce,
    alertInstancesLimit: config.alertInstancesLimit,
    publicUrl: consoleUrl(config),
    probeEveryMs: config.probeSeconds * 1_000,
    ...(commits && { tickEveryMs: SIGNALLED_POLL_MS }),
  });
  commits?.onCommit(relay.check);
  commits?.onCommit(evaluator.nudge);
  const silenceMarks = createSilenceMarks(emitting);
  const pipelineWatch = createPipelineWatch(emitting);
  bus.subscribe(TOPICS.samples, evaluator.consumer);
  return {
    parts: [
      { name: 'evaluation', starts: 'after the bus', start: evaluator.start, stop: evaluator.stop },
      { name: 'outbox relay', starts: 'after the bus', start: relay.start, stop: relay.stop },
      { name: 'silence marks', starts: 'after the bus', start: silenceMarks.start, stop: silenceMarks.stop },
      {
        name: 'pipeline watch',
        starts: 'after the bus',
        start: pipelineWatch.start,
        stop: pipelineWatch.stop,
      },
    ],
    missing: {},
    degraded: {},
  };
}

async function publishEvents(
  bus: Pick<Bus<Transaction>, 'publish'>,
  events: readonly UnpublishedEvent[],
): Promise<void> {
  const messages = events.map(({ event }) => ({ key: String(event.subject), value: event }));
  try {
    await bus.publish(TOPICS.events, messages);
  } catch (error) {
    // A refused event is in the log as a dead letter; the others were consumed.
    if (!(error instanceof PublicationRefusedError)) throw error;
  }
}
