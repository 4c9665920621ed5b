import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../telemetry/metrics.ts';
import { createFiguresReader } from './process-figures.ts';

let metrics: Metrics;
beforeEach(() => {
  metrics = createMetrics();
});
afterEach(() => metrics.close());

const evaluatorLag = () => metrics.histogram('tidewatch_evaluator_lag_seconds', 'Lag.');
const writerLag = () => metrics.gauge('tidewatch_writer_lag_seconds', 'Lag.');

describe('the figures that a process reports', () => {
  it('have neither lag nor queue nor disk in a process that does no such work', async () => {
    expect(await createFiguresReader(metrics)()).toEqual({
      lagSeconds: null,
      deadLetters: 0,
      jobFailures: 0,
      failingJobs: [],
      notificationsQueued: null,
      notificationsOldestSeconds: null,
      eventStreams: 0,
      disk: null,
    });
  });

  it('have the mean lag of the evaluations since the read before, and none where nothing was evaluated', async () => {
    const lag = evaluatorLag();
    const read = createFiguresReader(metrics);
    const lags: (number | null)[] = [];
    for (const seconds of [[1, 3], [], [10], [0.5, 0.5, 2]]) {
      for (const each of seconds) lag.observe(each);
      lags.push((await read()).lagSeconds);
    }
    expect(lags).toEqual([2, null, 10, 1]);
  });

  it('have the lag of the last transaction of a writer, however often it is read', async () => {
    writerLag().set(0.25);
    const read = createFiguresReader(metrics);
    expect([(await read()).lagSeconds, (await read()).lagSeconds]).toEqual([0.25, 0.25]);
  });

  it.each([
    { larger: 'the writer', writer: 7, evaluator: 2 },
    { larger: 'the evaluator', writer: 2, evaluator: 7 },
  ])('have the lag of $larger where it is the larger one of a process that does both', async (given) => {
    writerLag().set(given.writer);
    evaluatorLag().observe(given.evaluator);
    expect((await createFiguresReader(metrics)()).lagSeconds).toBe(7);
  });

  it('sum counters over their labels, and name the jobs whose last round failed', async () => {
    const failures = metrics.counter('tidewatch_writer_job_failures_total', 'Failures.', ['job']);
    failures.inc({ job: 'drain' }, 2);
    failures.inc({ job: 'retention' }, 1);
    const failing = metrics.gauge('tidewatch_writer_job_failing', 'Failing.', ['job']);
    failing.set({ job: 'drain' }, 1);
    failing.set({ job: 'retention' }, 0);
    metrics.counter('tidewatch_dead_letters_total', 'Dead letters.', ['reason']).inc({ reason: 'size' }, 4);
    metrics.gauge('tidewatch_notifications_queued', 'Queued.').set(3);
    metrics.gauge('tidewatch_notifications_oldest_seconds', 'Oldest.').set(12);
    metrics.gauge('tidewatch_event_streams', 'Streams.').set(5);
    const disk = { freeBytes: 1, totalBytes: 2 };
    expect(await createFiguresReader(metrics, async () => disk)()).toEqual({
      lagSeconds: null,
      deadLetters: 4,
      jobFailures: 3,
      failingJobs: ['drain'],
      notificationsQueued: 3,
      notificationsOldestSeconds: 12,
      eventStreams: 5,
      disk,
    });
  });
});
