import { hostname } from 'node:os';
import type { DiskFigures, ProcessReport } from '@tidewatch/contracts/system/process-report';
import type { Readiness } from '../http/health-routes.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { ServiceName } from './backend-service.ts';
import type { Lifecycle } from './lifecycle.ts';
import { createFiguresReader } from './process-figures.ts';
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
  const readFigures = createFiguresReader(metrics, disk);
  const rounds = createRounds({
    async round() {
      const [{ status, reasons }, figures] = await Promise.all([readiness(), readFigures()]);
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
