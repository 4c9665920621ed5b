import type { DiskFigures, ProcessFigures } from '@tidewatch/contracts/system/process-report';
import type { Metrics } from '../telemetry/metrics.ts';

/**
 * Returns a read of what the metrics of this process say of its work. The lag is that since the read before; `disk` reads the
 * disk of the stored data, where the process can see it.
 */
export function createFiguresReader(
  metrics: Pick<Metrics, 'registry'>,
  disk?: () => Promise<DiskFigures>,
): () => Promise<ProcessFigures> {
  const lag = createLagReader(metrics);
  const values = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values ?? null;
  const sum = async (name: string) =>
    (await values(name))?.reduce((all, { value }) => all + value, 0) ?? null;
  return async () => {
    const failing = (await values('tidewatch_writer_job_failing')) ?? [];
    return {
      lagSeconds: await lag(),
      deadLetters: (await sum('tidewatch_dead_letters_total')) ?? 0,
      jobFailures: (await sum('tidewatch_writer_job_failures_total')) ?? 0,
      failingJobs: failing.filter(({ value }) => value > 0).map(({ labels }) => String(labels['job'])),
      notificationsQueued: await sum('tidewatch_notifications_queued'),
      notificationsOldestSeconds: await sum('tidewatch_notifications_oldest_seconds'),
      eventStreams: (await sum('tidewatch_event_streams')) ?? 0,
      disk: (await disk?.()) ?? null,
    };
  };
}

/** Returns a read of the lag since the read before: the writer's last, or the evaluator's mean; null if neither has worked. */
function createLagReader({ registry }: Pick<Metrics, 'registry'>): () => Promise<number | null> {
  let former = { count: 0, sum: 0 };
  return async () => {
    const writer = (await registry.getSingleMetric('tidewatch_writer_lag_seconds')?.get())?.values[0]?.value;
    const evaluator =
      (await registry.getSingleMetric('tidewatch_evaluator_lag_seconds')?.get())?.values ?? [];
    const partOf = (end: string) =>
      evaluator.find((each) => 'metricName' in each && String(each.metricName).endsWith(end))?.value ?? 0;
    const now = { count: partOf('_count'), sum: partOf('_sum') };
    const mean = now.count > former.count ? (now.sum - former.sum) / (now.count - former.count) : null;
    former = now;
    const known = [writer ?? null, mean].filter((value) => value !== null);
    return known.length === 0 ? null : Math.max(...known);
  };
}
