import type { Bus } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import type { Transaction } from '@tidewatch/database/connection';
import type { BackendService, ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { retentionDays } from '@tidewatch/runtime/settings/retention-settings';
import { StorageBackendError } from '@tidewatch/store/backends/choice';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import type { writerSettings } from './config.ts';
import { createWriter, type WriterOptions } from './writer.ts';

export interface WriterEnvironment
  extends ServiceEnvironment,
    Pick<
      WriterOptions,
      'sql' | 'directory' | 'announce' | 'hasOtherWriters' | 'sealIntervalMs' | 'upkeepAfterMs'
    > {
  bus: Pick<Bus<Transaction>, 'subscribe'>;
  config: ConfigOf<typeof writerSettings>;
}

/** Opens the writer, which consumes samples, stores them, and maintains stored data. */
export async function openWriter(environment: WriterEnvironment): Promise<BackendService> {
  const { bus, config, sql } = environment;
  const retention = retentionDays(config);
  const backend = await openStorageBackend(sql, retention).catch(refuseStart);
  const writer = createWriter({ ...environment, retention, backend });
  bus.subscribe(TOPICS.samples, writer.consumer);
  return {
    parts: [{ name: 'jobs', starts: 'before the bus', start: writer.start, stop: writer.stop }],
    missing: {},
    degraded: {},
    details: { edition: backend.name },
  };
}

function refuseStart(error: unknown): never {
  throw error instanceof StorageBackendError ? new StartRefusedError(error.message) : error;
}
