import { metricsOf, type Payload, type SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { IDLE_BLOCK_MS } from '@tidewatch/store/retention/dead-blocks';
import { SampleRows } from '@tidewatch/store/samples/sample-rows';
import type { Snapshot } from '@tidewatch/store/samples/write-snapshots';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import type { Block } from '../cache/block.ts';
import type { KnownPart } from '../cache/host-parts.ts';
import type { ServiceState } from '../cache/service-state.ts';
import type { Additions, Subject } from '../cache/subject.ts';
import { FirstValues } from '../latest-values/first-values.ts';
import { ReceivedPayloads } from './received-payloads.ts';

/** The oldest times that are stored, ms. */
export interface Horizons {
  /** Rows older than this are stored in samples_backfill. */
  raw: number;
  /** Rows older than this are not stored. */
  backfill: number;
  /** Snapshots older than this are not stored. */
  snapshots: number;
}

type Lane = 'live' | 'backfill';

/**
 * The rows of one transaction: `appended` rows are new to the store, `merged` and `backfilled` ones may exist. Payloads
 * with the same block and time become one row, in which the newest arrival of each value wins.
 */
export class Staging {
  readonly appended = new SampleRows<Block>();
  readonly merged = new SampleRows<Block>();
  readonly backfilled = new SampleRows<Block>();
  additions: Additions = new Map();
  snapshots = new Map<string, Snapshot>();
  /** Parts that differ from what is stored of them, by organization. */
  changedParts = new Map<string, Set<KnownPart>>();
  readonly seen = new ReceivedPayloads();
  /** New services and blocks, whose latest values are written with their rows. */
  readonly first = new FirstValues();
  /** Blocks whose state must be read before `merged` is written. */
  unknown = new Set<Block>();
  /** Blocks that had no rows for so long that they may have been removed from the store. */
  rested = new Set<Block>();
  /** The number of staged samples; `expired` counts payloads that are too old to be stored. */
  samples = 0;
  expired = 0;
  #batch = 0;
  #rows: Record<Lane, Map<Block, Map<number, number>>> = { live: new Map(), backfill: new Map() };

  readonly #directory: Pick<ServiceDirectory, 'retag'>;

  constructor(directory: Pick<ServiceDirectory, 'retag'>) {
    this.#directory = directory;
  }

  /**
   * Begins a transaction with new maps and sets, because the contents of a cleared one stay in memory until the next full
   * collection.
   */
  clear(): void {
    this.#batch++;
    this.appended.clear();
    this.merged.clear();
    this.backfilled.clear();
    this.additions = new Map();
    this.first.clear();
    this.snapshots = new Map();
    this.changedParts = new Map();
    this.seen.clear();
    this.unknown = new Set();
    this.rested = new Set();
    this.samples = 0;
    this.expired = 0;
    this.#rows = { live: new Map(), backfill: new Map() };
  }

  /** Stages one payload of a service. */
  add(state: ServiceState, payload: Payload, batch: SampleBatch, horizons: Horizons): void {
    const { time } = payload;
    const { receivedAt } = batch;
    this.seen.add(state, receivedAt, time);
    const { entry } = state;
    const { tags } = payload;
    if (tags !== undefined) this.#directory.retag(entry, tags, time, receivedAt);
    if (time < horizons.backfill) {
      this.expired++;
      return;
    }
    const lane = time < horizons.raw ? 'backfill' : 'live';
    const ahead = time - receivedAt > MAX_SKEW_MS;
    this.#stageMetrics(state.host, payload, time, lane, ahead, receivedAt);
    if (payload.containers !== undefined) {
      for (const container of payload.containers) {
        this.#stageMetrics(
          state.subject('container', container.name),
          metricsOf(container),
          time,
          lane,
          ahead,
          receivedAt,
        );
      }
    }
    if (payload.parts !== undefined) {
      const { shape, values } = payload.parts;
      const parts = state.parts();
      this.#addChangedParts(entry, parts.note(shape, time, ahead));
      this.#stageMetrics(parts, { metrics: shape.keys, values }, time, lane, ahead, receivedAt);
    }
    if ((payload.containers !== undefined || payload.processes !== undefined) && time >= horizons.snapshots) {
      this.#stageSnapshot(state.entry, payload);
    }
  }

  #addChangedParts({ organizationId }: ServiceEntry, parts: Iterable<KnownPart>): void {
    for (const part of parts) {
      const changed = this.changedParts.get(organizationId) ?? new Set();
      this.changedParts.set(organizationId, changed);
      changed.add(part);
    }
  }

  #stageMetrics(
    subject: Subject,
    { metrics, values: reported }: Pick<Payload, 'metrics' | 'values'>,
    time: number,
    lane: Lane,
    ahead: boolean,
    receivedAt: number,
  ): void {
    const places = subject.places(metrics, this.additions);
    let ordinal = -1;
    let values: Float64Array = this.appended.values;
    let offset = 0;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      if (place >> 4 !== ordinal) {
        ordinal = place >> 4;
        const block = subject.blocks[ordinal] as Block;
        if (receivedAt - block.touchedAt > IDLE_BLOCK_MS && block.id !== 0) this.rested.add(block);
        block.touchedAt = receivedAt;
        const rows = this.#appends(block, time, lane, ahead) ? this.appended : this.#merging(lane);
        offset =
          (rows === this.appended ? this.#appendedRow(block, time) : this.#mergedRow(block, time, lane)) * 16;
        values = rows.values;
      }
      values[offset + (place & 15)] = reported[index] as number;
    }
    this.samples += places.length;
  }

  #appends(block: Block, time: number, lane: Lane, ahead: boolean): boolean {
    if (lane !== 'live' || ahead || !block.known) return false;
    return time > block.lastTime || (block.stagedBatch === this.#batch && time === block.lastTime);
  }

  #appendedRow(block: Block, time: number): number {
    if (block.stagedBatch === this.#batch && time === block.lastTime) return block.stagedRow;
    block.stagedBatch = this.#batch;
    block.stagedRow = this.appended.append(block, time);
    block.lastTime = time;
    return block.stagedRow;
  }

  #merging(lane: Lane): SampleRows<Block> {
    return lane === 'live' ? this.merged : this.backfilled;
  }

  #mergedRow(block: Block, time: number, lane: Lane): number {
    if (!block.known && block.id !== 0) this.unknown.add(block);
    let rows = this.#rows[lane].get(block);
    if (rows === undefined) {
      rows = new Map();
      this.#rows[lane].set(block, rows);
    }
    let row = rows.get(time);
    if (row === undefined) {
      row = this.#merging(lane).append(block, time);
      rows.set(time, row);
    }
    return row;
  }

  #stageSnapshot(entry: ServiceEntry, payload: Payload): void {
    const key = `${entry.serviceId} ${payload.time}`;
    let snapshot = this.snapshots.get(key);
    if (snapshot === undefined) {
      snapshot = { time: payload.time, organizationId: entry.organizationId, serviceId: entry.serviceId };
      this.snapshots.set(key, snapshot);
    }
    if (payload.containers !== undefined) snapshot.containers = payload.containers;
    if (payload.processes !== undefined) snapshot.processes = payload.processes;
  }
}
