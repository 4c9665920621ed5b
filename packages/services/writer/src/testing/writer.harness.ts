import type { Delivery } from '@tidewatch/bus/bus';
import type { Payload, SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS } from '@tidewatch/contracts/rollups/default-retention';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, type Store } from '@tidewatch/database/connection';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { openStorageBackend } from '@tidewatch/store/backends/open-storage-backend';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { createWriter, type Writer, type WriterOptions } from '../writer.ts';

export const ORGANIZATION = 'org_test';

/** Records the counters of the writer by name and labels. */
export function createCounting() {
  const counts = new Map<string, number>();
  const key = (name: string, labels: object) => [name, ...Object.values(labels)].join(' ');
  const add =
    (name: string) =>
    (first: unknown = 1, second?: number) => {
      const labels = typeof first === 'object' && first !== null ? first : {};
      const amount = typeof first === 'number' ? first : (second ?? 1);
      counts.set(key(name, labels), (counts.get(key(name, labels)) ?? 0) + amount);
    };
  const meter = (name: string) => ({ inc: add(name), set: () => {}, observe: () => {} }) as never;
  return { counts, metrics: { counter: meter, gauge: meter, histogram: meter } };
}

let writers = 0;

export interface Harness {
  store: Store;
  writer: Writer;
  counts: Map<string, number>;
  /** Server time, ms; set it before `send`. */
  now: number;
  /** Runs one transaction with one request for each element, as the bus does. */
  send(...requests: Payload[][]): Promise<void>;
  /** Runs one transaction, and `work` after the writer wrote and before the commit. */
  sendAround(payloads: Payload[], work: () => Promise<unknown>): Promise<void>;
  /** Runs one transaction that is rolled back after the writer wrote. */
  sendAndLose(payloads: Payload[]): Promise<void>;
  /** Replaces the writer by one with an empty cache, as after the process was killed. */
  restart(): void;
  close(): Promise<void>;
}

export interface HarnessOptions
  extends Partial<
    Pick<WriterOptions, 'backend' | 'holder' | 'retention' | 'sealIntervalMs' | 'upkeepAfterMs'>
  > {
  /** Uses the transactions of the single process, which begin by reading. */
  inOneProcess?: boolean;
}

/** Opens a writer on a real database. Its jobs do not run; `writer.settle()` drains. */
export async function openHarness(
  url: string,
  now: number,
  { inOneProcess = false, ...options }: HarnessOptions = {},
): Promise<Harness> {
  const store = openStore({ url, max: 4 });
  const backend =
    options.backend ?? (await openStorageBackend(store.sql, options.retention ?? DEFAULT_RETENTION_DAYS));
  const transact = inOneProcess ? store.transactReading : store.transact;
  const counting = createCounting();
  const record = (payloads: Payload[]): Delivery<SampleRecord> => ({
    topic: 'tidewatch.samples',
    partition: 0,
    offset: 0n,
    key: ORGANIZATION,
    publishedAt: harness.now,
    value: { kind: 'samples', organizationId: ORGANIZATION, receivedAt: harness.now, stalledMs: 0, payloads },
  });
  const open = () => {
    const directory = new ServiceDirectory({ newId, clock: () => harness.now });
    return createWriter({
      directory,
      sql: store.sql,
      clock: () => harness.now,
      metrics: counting.metrics,
      logger: createSilentLogger(),
      holder: `${++writers}`,
      ...options,
      backend,
    });
  };
  const harness: Harness = {
    store,
    now,
    counts: counting.counts,
    writer: undefined as unknown as Writer,
    restart() {
      harness.writer = open();
    },
    close: () => store.close(),
    async send(...requests) {
      const { consumer } = harness.writer;
      try {
        await transact((tx) => consumer.handle(requests.map(record), tx));
      } catch (error) {
        consumer.rolledBack?.('rolled_back');
        throw error;
      }
      consumer.committed?.();
    },
    async sendAround(payloads, work) {
      const { consumer } = harness.writer;
      await transact(async (tx) => {
        await consumer.handle([record(payloads)], tx);
        await work();
      });
      consumer.committed?.();
    },
    async sendAndLose(payloads) {
      const { consumer } = harness.writer;
      await transact(async (tx) => {
        await consumer.handle([record(payloads)], tx);
        throw new Error('lost');
      }).catch(() => {});
      consumer.rolledBack?.('rolled_back');
    },
  };
  harness.restart();
  await store.sql`insert into organizations (id, name) values (${ORGANIZATION}, 'test') on conflict do nothing`;
  return harness;
}
