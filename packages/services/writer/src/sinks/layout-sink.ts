import type { Transaction } from '@tidewatch/database/connection';
import type { LateBuckets } from '@tidewatch/store/backends/storage-backend';
import { type SampleState, writesLayout } from '@tidewatch/store/sample-log/sample-layout';
import type { Snapshot } from '@tidewatch/store/samples/write-snapshots';
import type { Block } from '../cache/block.ts';
import type { Subject } from '../cache/subject.ts';
import type { WriterMeters } from '../writer-metrics.ts';
import { LogSink } from './log-sink.ts';
import { RowSink } from './row-sink.ts';
import type { LatestObservers, SampleSink, SinkContext, StagedTime } from './sample-sink.ts';

/**
 * The sink of the layout of the database, or of both layouts while rows are converted to a log. `choose` precedes everything else of a
 * transaction, which holds the state that it was called with.
 */
export class LayoutSink implements SampleSink {
  readonly #rows: RowSink;
  readonly #log = new LogSink();
  #sinks: readonly SampleSink[] = [];
  #ofLayout: SampleSink = this.#log;
  /** Whether the log alone is written from now on. */
  #isLog = false;

  /** `late`: that of the storage backend. */
  constructor(late: LateBuckets | null) {
    this.#rows = new RowSink(late);
  }

  choose(state: SampleState): void {
    this.#isLog = state.layout === 'log' && !state.isConverting;
    this.#ofLayout = state.layout === 'log' ? this.#log : this.#rows;
    this.#sinks = [
      ...(writesLayout(state, 'rows') ? [this.#rows] : []),
      ...(writesLayout(state, 'log') ? [this.#log] : []),
    ];
  }

  /**
   * Sends ahead what `write` will need, in a transaction that writes samples. Does nothing while the layout may change, since its state is
   * locked before the log is.
   */
  prepare(tx: Transaction): void {
    if (this.#isLog) this.#log.prepare(tx);
  }

  clear(): void {
    for (const sink of this.#sinks) sink.clear();
  }

  /** Backfilled samples are rows in both layouts, and are written once. */
  stage(subject: Subject, places: readonly number[], values: readonly number[], at: StagedTime): void {
    const count = at.isOld ? 1 : this.#sinks.length;
    for (let index = 0; index < count; index += 1)
      (this.#sinks[index] as SampleSink).stage(subject, places, values, at);
  }

  /** Rows alone have something open in memory. */
  endIdle(blocks: Iterable<Block>, before: number): void {
    this.#sinks[0]?.endIdle(blocks, before);
  }

  async begin(tx: Transaction): Promise<void> {
    for (const sink of this.#sinks) await sink.begin(tx);
  }

  async write(tx: Transaction, context: SinkContext): Promise<void> {
    for (const sink of this.#sinks) await sink.write(tx, context);
  }

  async writeSnapshots(tx: Transaction, snapshots: readonly Snapshot[], context: SinkContext): Promise<void> {
    for (const sink of this.#sinks) await sink.writeSnapshots(tx, snapshots, context);
  }

  observeFirst(blocks: ReadonlySet<Block>, now: number): void {
    for (const sink of this.#sinks) sink.observeFirst(blocks, now);
  }

  /** Latest values are kept as the layout has them, not as the one that rows are being converted to. */
  observe(now: number, observers: LatestObservers): void {
    this.#ofLayout.observe(now, observers);
  }

  count(meters: WriterMeters): void {
    for (const sink of this.#sinks) sink.count(meters);
  }
}
