import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { Opened } from '@tidewatch/store/investigations/open';
import type { InvestigationQueue } from '@tidewatch/store/investigations/queue-state';

/** What became of a run. */
export type RunOutcome =
  | 'root_cause_found'
  | 'inconclusive'
  | 'failed'
  /** It was cancelled, or another process has taken it over. */
  | 'lost'
  /** It could not be ended, and is begun again. */
  | 'interrupted';

export type Stage = 'wait' | 'gather' | 'detect' | 'explain' | 'store';

export interface InvestigatorMetrics {
  /** What committed events came to. */
  opened(counts: Opened): void;
  unreadable(): void;
  running(count: number): void;
  /** A run that ended, and how long it took. */
  ended(outcome: RunOutcome, seconds: number): void;
  stage(stage: Stage, seconds: number): void;
  detectorFailed(detector: string): void;
  queue(state: InvestigationQueue, now: number): void;
}

const RUN_BUCKETS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20, 30, 60, 120, 180];

export function investigatorMetrics(metrics: Metrics): InvestigatorMetrics {
  const begun = metrics.counter(
    'tidewatch_investigations_begun_total',
    'Alerts that were given an investigation: opened for them, or joined.',
    ['how'],
  );
  const unreadable = metrics.counter(
    'tidewatch_investigator_unreadable_events_total',
    'Events about alerts that could not be read.',
  );
  const running = metrics.gauge(
    'tidewatch_investigations_running',
    'Investigations under way in this process.',
  );
  const ended = metrics.counter(
    'tidewatch_investigations_total',
    'Runs by outcome: root_cause_found, inconclusive, failed, lost (cancelled or taken over), interrupted.',
    ['outcome'],
  );
  const seconds = metrics.histogram(
    'tidewatch_investigations_seconds',
    'How long runs take.',
    [],
    RUN_BUCKETS,
  );
  const stages = metrics.histogram(
    'tidewatch_investigations_stage_seconds',
    'How long the stages of a run take: waiting for samples, gathering, detecting, a model, storing.',
    ['stage'],
  );
  const detectors = metrics.counter(
    'tidewatch_investigations_detector_failures_total',
    'Detectors that ended with an error, whose findings are missing.',
    ['detector'],
  );
  const queued = metrics.gauge('tidewatch_investigations_queued', 'Investigations that wait to be run.');
  const oldest = metrics.gauge(
    'tidewatch_investigations_oldest_seconds',
    'Age of the oldest investigation that waits.',
  );
  return {
    opened(counts) {
      begun.inc({ how: 'opened' }, counts.opened);
      begun.inc({ how: 'joined' }, counts.joined);
    },
    unreadable: () => unreadable.inc(),
    running: (count) => running.set(count),
    ended(outcome, took) {
      ended.inc({ outcome });
      seconds.observe(took);
    },
    stage: (stage, took) => stages.observe({ stage }, took),
    detectorFailed: (detector) => detectors.inc({ detector }),
    queue(state, now) {
      queued.set(state.queued);
      oldest.set(state.oldestAt === null ? 0 : Math.max(0, now - state.oldestAt) / 1_000);
    },
  };
}
