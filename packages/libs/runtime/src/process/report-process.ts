import { hostname } from 'node:os';
import type { DiskFigures, ProcessFigures, ProcessReport } from '@tidewatch/contracts/system/process-report';
import type { Readiness } from '../http/health-routes.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ServiceName } from './backend-service.ts';
import type { Lifecycle } from './lifecycle.ts';
import { PRODUCT_VERSION } from './product-version.ts';
import { createRounds } from './rounds.ts';

/** Keeps the reports of all processes of an installation. */
export interface ProcessRegistry {
  report(report: ProcessReport): Promise<void>;
  /** Forgets a process that stops. */
  withdraw(id: string): Promise<void>;
}

export interface ReportOptions {
  registry: ProcessRegistry;
  roles: readonly ServiceName[];
  readiness(): Promise<Readiness> | Readiness;
  /** Reads the disk of the stored data; absent if the process cannot see it. */
  disk?: () => Promise<DiskFigures>;
  metrics: Pick<Metrics, 'registry'>;
  logger: Pick<Logger, 'warn'>;
}

const REPORT_EVERY_MS = 10_000;
const RETRY_MIN_MS = 1_000;

/** Reports this process every ten seconds until the lifecycle closes, and withdraws it then. */
export async function reportProcess(lifecycle: Lifecycle, options: ReportOptions): Promise<void> {
  const { registry, roles, readiness, disk, metrics, logger } = options;
  const id = `${hostname()}/${process.pid}`;
  let isFailing = false;
  const lag = createLagReader(metrics);
  const rounds = createRounds({
    async round() {
      const [{ status, reasons }, figures] = await Promise.all([
        readiness(),
        readFigures(metrics, lag, disk),
      ]);
      const uptimeMs = Math.round(process.uptime() * 1_000);
      await registry.report({ id, roles, version: PRODUCT_VERSION, status, reasons, figures, uptimeMs });
      isFailing = false;
      return REPORT_EVERY_MS;
    },
    onFailure(error) {
      if (!isFailing) logger.warn({ err: error }, 'could not report this process to the database; retrying');
      isFailing = true;
    },
    minPauseMs: RETRY_MIN_MS,
    maxPauseMs: REPORT_EVERY_MS,
  });
  await lifecycle.open(
    'process reports',
    () => rounds.start(),
    async () => {
      await rounds.stop();
      // A process that cannot withdraw is missing until another of its roles starts.
      await registry
        .withdraw(id)
        .catch((error) => logger.warn({ err: error }, 'could not withdraw this process from the database'));
    },
  );
}

async function readFigures(
  metrics: Pick<Metrics, 'registry'>,
  lag: () => Promise<number | null>,
  disk: ReportOptions['disk'],
): Promise<ProcessFigures> {
  const values = async (name: string) =>
    (await metrics.registry.getSingleMetric(name)?.get())?.values ?? null;
  const sum = async (name: string) =>
    (await values(name))?.reduce((all, { value }) => all + value, 0) ?? null;
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
