import { metricsOf, type Payload, type SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { IDLE_BLOCK_MS } from '@tidewatch/store/retention/dead-blocks';
import type { Snapshot } from '@tidewatch/store/samples/write-snapshots';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import type { Block } from '../cache/block.ts';
import type { KnownPart } from '../cache/host-parts.ts';
import type { ServiceState } from '../cache/service-state.ts';
import type { Additions, Subject } from '../cache/subject.ts';
import { FirstValues } from '../latest-values/first-values.ts';
import type { SampleSink, StagedTime } from '../sinks/sample-sink.ts';
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

/** What one transaction stores beside samples, which are handed on to its sink. */
export class Staging {
  additions: Additions = new Map();
  snapshots = new Map<string, Snapshot>();
  /** Parts that differ from what is stored of them, by organization. */
  changedParts = new Map<string, Set<KnownPart>>();
  readonly seen = new ReceivedPayloads();
  /** New services and blocks, whose latest values are written with their rows. */
  readonly first = new FirstValues();
  /** Blocks that had no rows for so long that they may have been removed from the store. */
  rested = new Set<Block>();
  /** The number of staged samples; `expired` counts payloads that are too old to be stored. */
  samples = 0;
  expired = 0;
  readonly #directory: Pick<ServiceDirectory, 'retag'>;
  readonly #sink: Pick<SampleSink, 'stage' | 'clear'>;
  /** The time of the payload that is staged; one object for all, since no sink keeps it. */
  readonly #at: StagedTime = { time: 0, isOld: false, isAhead: false };

  constructor(directory: Pick<ServiceDirectory, 'retag'>, sink: Pick<SampleSink, 'stage' | 'clear'>) {
    this.#directory = directory;
    this.#sink = sink;
  }

  /**
   * Begins a transaction with new maps and sets, because the contents of a cleared one stay in memory until the next full
   * collection.
   */
  clear(): void {
    this.#sink.clear();
    this.additions = new Map();
    this.first.clear();
    this.snapshots = new Map();
    this.changedParts = new Map();
    this.seen.clear();
    this.rested = new Set();
    this.samples = 0;
    this.expired = 0;
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
    const at = this.#at;
    at.time = time;
    at.isOld = time < horizons.raw;
    at.isAhead = time - receivedAt > MAX_SKEW_MS;
    this.#stageMetrics(state.host, payload, at, receivedAt);
    if (payload.containers !== undefined) {
      for (const container of payload.containers) {
        this.#stageMetrics(state.subject('container', container.name), metricsOf(container), at, receivedAt);
      }
    }
    if (payload.parts !== undefined) {
      const { shape, values } = payload.parts;
      const parts = state.parts();
      this.#addChangedParts(entry, parts.note(shape, time, at.isAhead));
      this.#stageMetrics(parts, { metrics: shape.keys, values }, at, receivedAt);
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
    { metrics, values }: Pick<Payload, 'metrics' | 'values'>,
    at: StagedTime,
    receivedAt: number,
  ): void {
    const places = subject.places(metrics, this.additions);
    this.samples += places.length;
    this.#touch(subject, places, receivedAt);
    this.#sink.stage(subject, places, values, at);
  }

  /** Notes when the blocks of these places got their last row. */
  #touch({ blocks }: Subject, places: readonly number[], receivedAt: number): void {
    let ordinal = -1;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      if (place >> 4 === ordinal) continue;
      ordinal = place >> 4;
      const block = blocks[ordinal] as Block;
      if (receivedAt - block.touchedAt > IDLE_BLOCK_MS && block.id !== 0) this.rested.add(block);
      block.touchedAt = receivedAt;
    }
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
