import { STORAGE_BACKENDS } from '@tidewatch/contracts/system/storage-backends';
import type { System } from '@tidewatch/contracts/system/system';
import type { SYSTEM_ROUTES } from '@tidewatch/contracts/system/system-routes';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { INSTALLATION, inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { systemStatus } from '@tidewatch/domain/health/system-status';
import { PRODUCT_VERSION } from '@tidewatch/runtime/process/product-version';
import { type PipelineClock, readPipelineClocks } from '@tidewatch/store/health/pipeline-clocks';
import { type ProcessRow, readProcesses } from '@tidewatch/store/system/process-registry';
import { growthPerDay, readStorageSizes } from '@tidewatch/store/system/storage-size';
import { readStorageBackend } from '@tidewatch/store/system/stored-backend';
import { sendTagged } from '../http/entity-tag.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { remembered } from './remembered.ts';

const READ_EVERY_MS = 1_000;
/** A partition that has not advanced for this long is behind, ms. */
const STANDS_STILL_MS = 10_000;

/** `/api/v1/system`, for the operator of the installation. */
export function createSystemHandlers({
  sql,
  clock,
  config,
}: QueryApiOptions): Handlers<typeof SYSTEM_ROUTES> {
  const storage = remembered(() => readStorageSizes(sql), MINUTE_MS, clock);
  const backend = remembered(() => readStorageBackend(sql), Number.POSITIVE_INFINITY, clock);
  const system = remembered(read, READ_EVERY_MS, clock);

  async function read(): Promise<System> {
    const [{ processes, now }, clocks, sizes, storageBackend] = await Promise.all([
      readProcesses(sql),
      readPipelineClocks(sql),
      storage(),
      backend(),
    ]);
    const { status, reasons, processes: seen } = systemStatus(processes, now);
    const running = seen.filter((process) => process.status !== 'missing');
    return {
      as_of: toIso(clock()),
      status,
      reasons,
      topology: config.topology,
      storage_backend: STORAGE_BACKENDS[storageBackend],
      version: PRODUCT_VERSION,
      processes: seen.map(({ id, roles, version, status, reasons, startedAt, reportedAt, figures }) => ({
        id,
        roles,
        version,
        status,
        reasons: [...reasons],
        started_at: toIso(startedAt),
        reported_at: toIso(reportedAt),
        lag_seconds: figures.lagSeconds,
      })),
      evaluation_lag_seconds: lagOf(running, clocks, clock()),
      ...measured(running),
      storage: storageOf(running, sizes),
    };
  }

  return {
    async getSystem({ request, response }) {
      sendTagged(request, response, await inOrganization(INSTALLATION, system), null);
    },
  };
}

/**
 * The lag in seconds. Partitions without samples advance with the heartbeats of gateways alone, every few seconds; so what
 * processes measured says more until a partition stands still for longer than that.
 */
function lagOf(running: Running, clocks: readonly PipelineClock[], now: number): number | null {
  if (clocks.length === 0) return null;
  const stillMs = Math.max(0, ...clocks.map(({ completeUntil }) => now - completeUntil));
  const measured = running.flatMap(({ figures }) => figures.lagSeconds ?? []);
  return stillMs >= STANDS_STILL_MS || measured.length === 0 ? stillMs / 1_000 : Math.max(...measured);
}

type Running = readonly Pick<ProcessRow, 'figures' | 'startedAt'>[];

/** What running processes measured, over all of them. */
function measured(
  running: Running,
): Pick<System, 'dead_letters' | 'notifications' | 'event_streams' | 'jobs'> {
  const figures = running.map((process) => process.figures);
  const sum = (of: (each: ProcessRow['figures']) => number) =>
    figures.reduce((all, each) => all + of(each), 0);
  const since = running.length === 0 ? null : toIso(Math.min(...running.map(({ startedAt }) => startedAt)));
  // Every notifier counts the same queue.
  const queues = figures.filter(({ notificationsQueued }) => notificationsQueued !== null);
  return {
    dead_letters: { count: sum(({ deadLetters }) => deadLetters), since },
    notifications:
      queues.length === 0
        ? null
        : {
            queued: Math.max(...queues.map(({ notificationsQueued }) => notificationsQueued ?? 0)),
            oldest_seconds: Math.max(
              ...queues.map(({ notificationsOldestSeconds }) => notificationsOldestSeconds ?? 0),
            ),
          },
    event_streams: sum(({ eventStreams }) => eventStreams),
    jobs: {
      failing: [...new Set(figures.flatMap(({ failingJobs }) => failingJobs))].sort(),
      failures: sum(({ jobFailures }) => jobFailures),
      since,
    },
  };
}

function storageOf(
  running: Running,
  { bytes, hours }: Awaited<ReturnType<typeof readStorageSizes>>,
): System['storage'] {
  const disk = running.find(({ figures }) => figures.disk !== null)?.figures.disk ?? null;
  const growth = growthPerDay(hours);
  return {
    database_bytes: bytes,
    disk: disk && { free_bytes: disk.freeBytes, total_bytes: disk.totalBytes },
    growth_bytes_per_day: growth,
    days_left: disk !== null && growth !== null && growth > 0 ? disk.freeBytes / growth : null,
    history: hours.map((each) => ({ t: toIso(each.hour), database_bytes: each.bytes })),
  };
}
