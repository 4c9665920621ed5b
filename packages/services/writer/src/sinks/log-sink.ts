import type { Transaction } from '@tidewatch/database/connection';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { layOutRecord, type RecordLayout } from '@tidewatch/domain/chunk/record-layout';
import { ordinalOf, slotOf } from '@tidewatch/domain/series/slots';
import { writePackedBackfill } from '@tidewatch/store/sample-days/write-packed-backfill';
import { writeBackfilledLatest } from '@tidewatch/store/sample-log/backfilled-latest';
import { LogPacker } from '@tidewatch/store/sample-log/log-packer';
import { insertLastLogRows } from '@tidewatch/store/sample-log/log-row';
import { drawSeqs } from '@tidewatch/store/sample-log/seal-lock';
import type { Snapshot } from '@tidewatch/store/samples/write-snapshots';
import { appendSnapshots } from '@tidewatch/store/snapshots/packed/append-snapshots';
import type { Block } from '../cache/block.ts';
import { LIVE_METRICS } from '../cache/service-state.ts';
import type { Subject } from '../cache/subject.ts';
import { observeRows } from '../latest-values/first-values.ts';
import type { WriterMeters } from '../writer-metrics.ts';
import { MergedRows } from './merged-rows.ts';
import type { LatestObservers, SampleSink, SinkContext, StagedTime } from './sample-sink.ts';

/** The number of samples that are packed before yielding to the event loop. */
const YIELD_SAMPLES = 10_000;

/** How a list of places is packed. Payloads of a fleet have few such lists. */
interface PlacesPlan {
  layout: RecordLayout;
  /** The values of a host that its live row has: their indexes and places. */
  live: readonly { index: number; place: number }[];
}

/** A payload's values of the parts of a host. */
interface StagedParts {
  subject: Subject;
  places: readonly number[];
  values: readonly number[];
  /** ms */
  time: number;
}

/** Keeps samples as a log, of which each transaction writes one row for each organization and bucket of hosts. */
export class LogSink implements SampleSink {
  readonly #packer = new LogPacker();
  readonly #plans = new WeakMap<readonly number[], PlacesPlan>();
  /** The list of places that was asked for last, and its plan: payloads in a row nearly always have the same. */
  #lastPlaces: readonly number[] | null = null;
  #lastPlan: PlacesPlan = { layout: layOutRecord([]), live: [] };
  readonly #backfilled = new MergedRows();
  #subjects: Subject[] = [];
  #places: (readonly number[])[] = [];
  #values: (readonly number[])[] = [];
  #times: number[] = [];
  #parts: StagedParts[] = [];
  #rows = 0;
  /** The numbers that `prepare` draws for a transaction. */
  #drawn: { tx: Transaction; seqs: Promise<number[]> } | null = null;

  clear(): void {
    this.#packer.clear();
    this.#backfilled.clear();
    this.#subjects = [];
    this.#places = [];
    this.#values = [];
    this.#times = [];
    this.#parts = [];
    this.#rows = 0;
  }

  /** Packs nothing yet, since new blocks have no ids. */
  stage(
    subject: Subject,
    places: readonly number[],
    values: readonly number[],
    { time, isOld, isAhead }: StagedTime,
  ): void {
    if (subject.kind === 'part') this.#parts.push({ subject, places, values, time });
    if (isOld) {
      this.#backfilled.add(subject, places, values, time);
      return;
    }
    this.#subjects.push(subject);
    this.#places.push(places);
    this.#values.push(values);
    this.#times.push(time);
    if (isAhead || subject.kind !== 'host') return;
    for (const { index, place } of this.#planOf(subject, places).live)
      subject.blocks[ordinalOf(place)]?.observe(slotOf(place), time, values[index] as number);
  }

  endIdle(): void {}

  /** Draws the number of the rows that this transaction will write. */
  prepare(tx: Transaction): void {
    this.#drawn = { tx, seqs: drawAhead(tx) };
  }

  async begin(): Promise<void> {}

  async write(tx: Transaction, context: SinkContext): Promise<void> {
    const { rows } = this.#backfilled;
    if (rows.length > 0) {
      await context.partitions.ensure(tx, 'samples_backfill', rows.times.subarray(0, rows.length));
      context.copiesLeftOut(await writePackedBackfill(tx, rows, context.buffer));
      const { now, buffer, created } = context;
      await writeBackfilledLatest(tx, rows, { isLeftOut: (block) => created.has(block), now, buffer });
    }
    if (this.#subjects.length > 0) await this.#append(tx);
  }

  async writeSnapshots(tx: Transaction, snapshots: readonly Snapshot[]): Promise<void> {
    const [seq] = (await drawSeqs(tx)) as [number];
    await appendSnapshots(tx, seq, snapshots);
  }

  observeFirst(blocks: ReadonlySet<Block>, now: number): void {
    observeRows(this.#backfilled.rows, now, (block) => blocks.has(block));
    const latest = now + MAX_SKEW_MS;
    for (const [at, subject] of this.#subjects.entries()) {
      const time = this.#times[at] as number;
      if (time > latest || !subject.blocks.some((block) => blocks.has(block))) continue;
      const values = this.#values[at] as readonly number[];
      for (const [index, place] of (this.#places[at] as readonly number[]).entries()) {
        const block = subject.blocks[ordinalOf(place)] as Block;
        if (blocks.has(block)) block.observe(slotOf(place), time, values[index] as number);
      }
    }
  }

  /** Parts of hosts have live rows. Other values are read from the log, and written when it is sealed. */
  observe(now: number, { parts }: LatestObservers): void {
    const latest = now + MAX_SKEW_MS;
    for (const { subject, places, values, time } of this.#parts) {
      if (time > latest) continue;
      for (const [index, place] of places.entries())
        subject.blocks[ordinalOf(place)]?.observe(slotOf(place), time, values[index] as number);
      parts(subject);
    }
  }

  count({ rows }: WriterMeters): void {
    rows.inc({ path: 'backfilled' }, this.#backfilled.rows.length);
    rows.inc({ path: 'logged' }, this.#rows);
  }

  async #append(tx: Transaction): Promise<void> {
    // Nearly always one number is enough, which is drawn while the rows are packed.
    const drawn = this.#drawn?.tx === tx ? this.#drawn.seqs : drawAhead(tx);
    this.#drawn = null;
    await this.#pack();
    const seqs = await drawn;
    const { turns } = this.#packer;
    if (turns > 1) seqs.push(...(await drawSeqs(tx, turns - 1)));
    const rows = this.#packer.rows(seqs);
    await insertLastLogRows(tx, rows);
    this.#rows = rows.length;
  }

  async #pack(): Promise<void> {
    const end = this.#subjects.length;
    for (let at = this.#packFrom(0); at < end; at = this.#packFrom(at)) await new Promise(setImmediate);
  }

  /** Packs some records from one on, and returns the one to go on with. */
  #packFrom(start: number): number {
    const end = this.#subjects.length;
    let at = start;
    for (let packed = 0; at < end && packed < YIELD_SAMPLES; at += 1) {
      const subject = this.#subjects[at] as Subject;
      const places = this.#places[at] as readonly number[];
      this.#packer.addLaidOut(
        subject.entry.organizationId,
        subject.logBucket,
        subject.blocks,
        this.#times[at] as number,
        this.#planOf(subject, places).layout,
        this.#values[at] as readonly number[],
      );
      packed += places.length;
    }
    return at;
  }

  #planOf(subject: Subject, places: readonly number[]): PlacesPlan {
    if (places === this.#lastPlaces) return this.#lastPlan;
    let plan = this.#plans.get(places);
    if (plan === undefined) {
      const live = LIVE_METRICS.map((metric) => subject.placeOf(metric) ?? -1)
        .map((place) => ({ index: places.lastIndexOf(place), place }))
        .filter(({ index }) => index >= 0);
      plan = { layout: layOutRecord(places), live };
      this.#plans.set(places, plan);
    }
    this.#lastPlaces = places;
    this.#lastPlan = plan;
    return plan;
  }
}

function drawAhead(tx: Transaction): Promise<number[]> {
  const drawn = drawSeqs(tx);
  drawn.catch(() => undefined); // Where something else fails first, nothing waits for it.
  return drawn;
}
