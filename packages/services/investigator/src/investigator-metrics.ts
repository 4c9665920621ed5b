import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Opened } from '@tidewatch/store/investigations/open';
import type { InvestigationQueue } from '@tidewatch/store/investigations/queue-state';

/** The outcome of a run. */
export type RunOutcome =
  | 'root_cause_found'
  | 'inconclusive'
  | 'failed'
  /** The investigation was cancelled, or another process took it over. */
  | 'lost'
  /** The run failed and will be retried. */
  | 'interrupted';

export type Stage = 'wait' | 'gather' | 'detect' | 'explain' | 'store';

export type InvestigatorMetrics = ReturnType<typeof investigatorMetrics>;

const RUN_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 180];

export function investigatorMetrics(metrics: Metrics) {
  const begun = metrics.counter(
    'tidewatch_investigations_begun_total',
    'Alerts for which an investigation was opened, or that joined an existing one.',
    ['how'],
  );
  const unreadable = metrics.counter(
    'tidewatch_investigator_unreadable_events_total',
    'Events about alerts that could not be read.',
  );
  const running = metrics.gauge(
    'tidewatch_investigations_running',
    'Investigations that this process is running.',
  );
  const ended = metrics.counter(
    'tidewatch_investigations_total',
    'Runs by outcome: root_cause_found, inconclusive, failed, lost (cancelled or taken over), interrupted (retried).',
    ['outcome'],
  );
  const seconds = metrics.histogram('tidewatch_investigations_seconds', 'Duration of runs.', [], RUN_BUCKETS);
  const stages = metrics.histogram(
    'tidewatch_investigations_stage_seconds',
    'Duration of the stages of a run: wait (for samples), gather, detect, explain (by a model), store.',
    ['stage'],
  );
  const detectors = metrics.counter(
    'tidewatch_investigations_detector_failures_total',
    'Detectors that failed, so that their findings are missing.',
    ['detector'],
  );
  const queued = metrics.gauge('tidewatch_investigations_queued', 'Investigations in the queue.');
  const oldest = metrics.gauge(
    'tidewatch_investigations_oldest_seconds',
    'Age of the oldest investigation in the queue.',
  );
  return {
    /** Counts the investigations that committed events opened or joined. */
    opened(counts: Opened) {
      begun.inc({ how: 'opened' }, counts.opened);
      begun.inc({ how: 'joined' }, counts.joined);
    },
    unreadable: () => unreadable.inc(),
    running: (count: number) => running.set(count),
    /** Counts a run that ended after `took` seconds. */
    ended(outcome: RunOutcome, took: number) {
      ended.inc({ outcome });
      seconds.observe(took);
    },
    stage: (stage: Stage, took: number) => stages.observe({ stage }, took),
    detectorFailed: (detector: string) => detectors.inc({ detector }),
    queue(state: InvestigationQueue, now: number) {
      queued.set(state.queued);
      oldest.set(state.oldestAt === null ? 0 : Math.max(0, now - state.oldestAt) / 1_000);
    },
  };
}
