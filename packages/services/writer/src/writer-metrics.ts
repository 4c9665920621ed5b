import type { Metrics } from '@tidewatch/runtime/telemetry/metrics';

export type WriterMeters = ReturnType<typeof createWriterMeters>;

/** Registers the metrics of the writer. */
export function createWriterMeters(metrics: Pick<Metrics, 'counter' | 'gauge' | 'histogram'>) {
  return {
    samples: metrics.counter('tidewatch_writer_samples_stored_total', 'Samples in committed transactions.'),
    rows: metrics.counter(
      'tidewatch_writer_rows_total',
      'Rows written: appended by COPY, merged by upsert, backfilled, minutes rolled up in order, rows of the log.',
      ['path'],
    ),
    payloads: metrics.counter(
      'tidewatch_writer_payloads_total',
      'Payloads by outcome: stored, expired (older than the longest retention), deleted (received before the deletion of their service).',
      ['outcome'],
    ),
    copyFallbacks: metrics.counter(
      'tidewatch_writer_copy_fallbacks_total',
      'Transactions whose COPY was refused and repeated by upsert.',
    ),
    copiesLeftOut: metrics.counter(
      'tidewatch_writer_backfill_copies_total',
      'Values older than raw retention that were not added because the rollups contain them already.',
    ),
    commitSeconds: metrics.histogram(
      'tidewatch_writer_commit_seconds',
      'Time from the first row of a transaction to its commit.',
    ),
    lagSeconds: metrics.gauge(
      'tidewatch_writer_lag_seconds',
      'Age, at its commit, of the oldest payload or heartbeat of the last transaction.',
    ),
    drained: metrics.counter('tidewatch_writer_buckets_drained_total', 'Dirty buckets recomputed.'),
    dirty: metrics.gauge('tidewatch_writer_dirty_buckets', 'Ended buckets that wait to be recomputed.', [
      'tier',
    ]),
    dropped: metrics.counter(
      'tidewatch_writer_retention_dropped_total',
      'What retention dropped: partitions, alerts, events, notifications, silences, investigations, markers, tag changes, blocks.',
      ['what'],
    ),
    unsealedBytes: metrics.gauge(
      'tidewatch_log_unsealed_bytes',
      'Bytes of the log of samples that are not sealed into chunks yet.',
    ),
    unsealedAge: metrics.gauge(
      'tidewatch_log_unsealed_age_seconds',
      'Age at most of the oldest row of the log that is not sealed.',
    ),
    samplesSealed: metrics.counter('tidewatch_log_samples_sealed_total', 'Samples sealed into chunks.'),
    chunksWritten: metrics.counter('tidewatch_log_chunks_written_total', 'Chunks written by seals.'),
    chunksRewritten: metrics.counter(
      'tidewatch_log_chunks_rewritten_total',
      'Chunks that seals read and replaced because late samples lie in them.',
    ),
    damagedRows: metrics.counter(
      'tidewatch_damaged_rows_total',
      'Rows of packed samples or snapshots that could not be read and were moved to damaged_samples.',
      ['relation'],
    ),
    blockDaysClosed: metrics.counter(
      'tidewatch_writer_block_days_closed_total',
      'Days of blocks of at most sixteen series that were closed: their samples packed, their rollups computed.',
    ),
    daysToClose: metrics.gauge(
      'tidewatch_writer_days_to_close',
      'Days that are due to be closed and are not.',
    ),
    partitionsCreated: metrics.counter('tidewatch_writer_partitions_created_total', 'Partitions created.'),
    jobFailures: metrics.counter('tidewatch_writer_job_failures_total', 'Failed rounds of background jobs.', [
      'job',
    ]),
    jobFailing: metrics.gauge(
      'tidewatch_writer_job_failing',
      'Whether the last round of a background job failed: 1 or 0.',
      ['job'],
    ),
  };
}
