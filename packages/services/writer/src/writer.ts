import type { Consumer, Delivery, Verdict } from '@tidewatch/bus/bus';
import type { Payload, SampleBatch, SampleRecord } from '@tidewatch/contracts/ingest/sample';
import { DEFAULT_RETENTION_DAYS, type RetentionDays } from '@tidewatch/contracts/rollups/default-retention';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import { BinaryRows } from '@tidewatch/database/copy/binary-rows';
import type { CommitSignal } from '@tidewatch/runtime/process/commit-signal';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { StorageBackend } from '@tidewatch/store/backends/storage-backend';
import { markTaken } from '@tidewatch/store/receipts/marks';
import { backfillFloor, rawFloor, rollupFloors } from '@tidewatch/store/retention/retention';
import {
  holdSampleState,
  type SampleLayout,
  type SampleState,
} from '@tidewatch/store/sample-log/sample-layout';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { ServiceCache } from './cache/service-cache.ts';
import type { ServiceState } from './cache/service-state.ts';
import { emitRegistrations } from './commit/emit-registrations.ts';
import { writeStaged } from './commit/write-staged.ts';
import { createJobs } from './jobs/jobs.ts';
import { LatestFlush } from './latest-values/latest-flush.ts';
import { LayoutSink } from './sinks/layout-sink.ts';
import { type Horizons, Staging } from './staging/staging.ts';
import { createWriterMeters } from './writer-metrics.ts';

/** The number of samples that are staged before yielding to the event loop. */
const YIELD_SAMPLES = 10_000;
/** How long after its last row a minute counts as finished, ms. */
const IDLE_MS = 90_000;
const IDLE_CHECK_INTERVAL_MS = 10_000;

export interface WriterOptions {
  directory: ServiceDirectory;
  /** The connections of the background jobs; rows are written in the consumer's transaction. */
  sql: Sql;
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  metrics: Pick<Metrics, 'counter' | 'gauge' | 'histogram'>;
  logger: Logger;
  retention?: RetentionDays;
  backend: StorageBackend;
  /** Set if the evaluator is another process: the writer then emits `service.registered`. */
  announce?: { newEventId: () => string };
  /** The name of this writer in the leases of the background jobs. */
  holder: string;
  /** Present where no other process works on the database. */
  commits?: CommitSignal;
  /** How often a log of samples is sealed into chunks, ms. Default five minutes. */
  sealIntervalMs?: number;
  /** How long after the start seals, retention and the removal of dead blocks begin, ms. Default 0. */
  upkeepAfterMs?: number;
  /** Whether other writers on the database may have owned partitions that are assigned to this one. */
  hasOtherWriters?: boolean;
}

export interface Writer {
  consumer: Consumer<SampleRecord, Transaction>;
  /** Creates partitions, recovers the minutes that a crash lost, and starts the jobs; call before the bus starts. */
  start(): Promise<void>;
  /** Ends the jobs and flushes latest values; call after the bus has stopped. */
  stop(): Promise<void>;
  /** Resolves once every dirty bucket that has ended is recomputed and latest values are flushed. */
  settle(): Promise<void>;
}

/**
 * Creates the writer, which stores samples with everything that depends on them alone: rollups, latest values, snapshots,
 * tags.
 */
export function createWriter(options: WriterOptions): Writer {
  const { directory, sql, clock, backend, logger } = options;
  const retention = options.retention ?? DEFAULT_RETENTION_DAYS;
  const meters = createWriterMeters(options.metrics);
  const cache = new ServiceCache();
  const sink = new LayoutSink(backend.late);
  const staging = new Staging(directory, sink);
  const buffer = new BinaryRows();
  const latest = new LatestFlush(sql);
  const { holder, commits, sealIntervalMs, upkeepAfterMs } = options;
  const jobs = createJobs({
    sql,
    clock,
    backend,
    retention,
    latest,
    meters,
    logger,
    holder,
    isAlone: commits !== undefined,
    sealIntervalMs,
    upkeepAfterMs,
  });
  let startedAt = 0;
  let idleCheckedAt = 0;
  let revision = -1;
  let layout: SampleLayout | undefined;
  let oldest = Number.POSITIVE_INFINITY;
  let deleted = 0;
  /** How many samples are staged before the event loop goes on. */
  let yieldAt = YIELD_SAMPLES;
  let copies = 0;

  function prepare(batch: readonly Delivery<SampleRecord>[], tx: Transaction): void {
    if (batch.some(({ value }) => value.kind === 'samples')) sink.prepare(tx);
  }

  async function handle(batch: readonly Delivery<SampleRecord>[], tx: Transaction): Promise<Verdict[]> {
    startedAt = clock();
    oldest = Number.POSITIVE_INFINITY;
    deleted = 0;
    const revisions = await directory.watch(tx);
    takeState(await holdSampleState(tx));
    staging.clear();
    if (revisions.services !== revision) {
      cache.prune();
      revision = revisions.services;
    }
    const verdicts: Verdict[] = [];
    const requests: SampleBatch[] = [];
    for (const { value } of batch) {
      const known = value.kind === 'samples' || value.kind === 'heartbeat';
      verdicts.push(known ? { kind: 'done' } : { kind: 'deadLetter', reason: 'unknown kind of record' });
      if (value.kind === 'samples') requests.push(value);
      else if (value.kind === 'heartbeat') oldest = Math.min(oldest, value.at);
    }
    if (requests.length > 0) await stage(tx, requests);
    if (options.announce) await emitRegistrations(tx, directory, options.announce.newEventId, startedAt);
    if (startedAt - idleCheckedAt >= IDLE_CHECK_INTERVAL_MS) {
      idleCheckedAt = startedAt;
      sink.endIdle(cache.blocks(), startedAt - IDLE_MS);
    }
    await writeStaged(tx, staging, sink, {
      partitions: backend.partitions,
      directory,
      buffer,
      created: staging.first.blocks,
      now: startedAt,
      floors: rollupFloors(startedAt, retention),
      copiesLeftOut: (count) => {
        copies = count;
      },
      copyRefused(error) {
        meters.copyFallbacks.inc();
        logger.warn(
          { reason: error.message },
          'COPY was refused since rows exist already; retrying by upsert',
        );
      },
    });
    await markTaken(tx, 'writer', batch);
    return verdicts;
  }

  /** What was cached of another layout lacks what the sink of this one keeps. */
  function takeState(state: SampleState): void {
    if (layout !== undefined && layout !== state.layout) {
      latest.forget();
      cache.clear();
    }
    layout = state.layout;
    cache.restoresLive = layout === 'log';
    sink.choose(state);
  }

  async function stage(tx: Transaction, requests: readonly SampleBatch[]) {
    await directory.ensure(tx, requests);
    const states = await cache.statesOf(
      tx,
      requests.flatMap((request) => directory.entriesOf(request)),
    );
    const horizons = {
      raw: rawFloor(startedAt, retention),
      backfill: backfillFloor(startedAt, retention),
      snapshots: startedAt - retention.snapshots * DAY_MS,
    };
    yieldAt = YIELD_SAMPLES;
    let first = 0;
    for (const request of requests) {
      if (request.receivedAt < oldest) oldest = request.receivedAt;
      const { length } = request.payloads;
      for (let next = 0; next < length; ) {
        next = stageFrom(next, request, states, first, horizons);
        if (next < length) await new Promise(setImmediate);
      }
      first += length;
    }
  }

  /** Stages the payloads of a request from one on until the event loop has to go on; returns the payload to go on with. */
  function stageFrom(
    start: number,
    request: SampleBatch,
    states: readonly (ServiceState | null)[],
    first: number,
    horizons: Horizons,
  ): number {
    const { payloads } = request;
    let next = start;
    while (next < payloads.length && staging.samples < yieldAt) {
      const state = states[first + next] as ServiceState | null;
      if (state === null) deleted++;
      else staging.add(state, payloads[next] as Payload, request, horizons);
      next += 1;
    }
    if (staging.samples >= yieldAt) yieldAt = staging.samples + YIELD_SAMPLES;
    return next;
  }

  function committed(): void {
    directory.committed();
    const now = clock();
    const { blocks, services } = staging.first;
    const isFirst = services.size === 0 ? () => false : (state: ServiceState) => services.has(state);
    sink.observe(now, {
      isWanted(block) {
        if (blocks.has(block)) return false;
        latest.block(block);
        return true;
      },
      parts: (subject) => latest.parts(subject),
    });
    staging.seen.updateServices(isFirst, (state) => latest.service(state));
    meters.samples.inc(staging.samples);
    sink.count(meters);
    if (copies > 0) meters.copiesLeftOut.inc(copies);
    meters.payloads.inc({ outcome: 'stored' }, staging.seen.length - staging.expired);
    if (staging.expired > 0) meters.payloads.inc({ outcome: 'expired' }, staging.expired);
    if (deleted > 0) meters.payloads.inc({ outcome: 'deleted' }, deleted);
    meters.commitSeconds.observe((now - startedAt) / 1000);
    if (Number.isFinite(oldest)) meters.lagSeconds.set((now - oldest) / 1000);
  }

  function rolledBack(): void {
    directory.forget();
    backend.partitions.invalidate();
    latest.forget();
    cache.clear();
  }

  /** Partitions were assigned: cached state of hosts in other partitions may be outdated. */
  function assigned(): void {
    directory.clear();
    latest.forget();
    cache.clear();
    if (options.hasOtherWriters) jobs.assigned();
  }

  return {
    consumer: { name: 'writer', prepare, handle, committed, rolledBack, assigned },
    start: jobs.start,
    stop: jobs.stop,
    settle: jobs.settle,
  };
}
