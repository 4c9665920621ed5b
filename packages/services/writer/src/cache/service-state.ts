import { ClockOffset, wrongClockSeconds } from '@tidewatch/domain/alerting/clock-offset';
import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import { skewSeconds } from '@tidewatch/domain/alerting/skew';
import { ordinalOf, slotOf } from '@tidewatch/domain/series/slots';
import type { ServiceLive } from '@tidewatch/store/latest/write-latest';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import { HostParts } from './host-parts.ts';
import { Subject } from './subject.ts';

/** The metrics of a host whose latest values its live row has. */
export const LIVE_METRICS = ['cpu_percent', 'memory_percent', 'disk_percent'] as const;

/** The data that the writer caches about one monitored host. */
export class ServiceState {
  readonly entry: ServiceEntry;
  readonly host: Subject;
  /** The containers of the host by name; null until the first container, because most hosts have none. */
  #containers: Map<string, Subject> | null = null;
  /** The parts of the host; null until the first payload with parts. */
  #parts: HostParts | null = null;
  liveDirty = false;
  /** Whether the store has a live row of the service. */
  stored = false;
  #lastSeen = Number.NEGATIVE_INFINITY;
  #lastSampleAt: number | null = null;
  #skew: number | null = null;
  #interval = new UsualInterval();
  #offset = new ClockOffset();
  #clockObserved = false;

  constructor(entry: ServiceEntry) {
    this.entry = entry;
    this.host = new Subject(entry, 'host', entry.host);
  }

  subject(kind: string, name: string): Subject {
    if (kind === 'host') return this.host;
    this.#containers ??= new Map();
    let subject = this.#containers.get(name);
    if (subject === undefined) {
      subject = new Subject(this.entry, 'container', name);
      this.#containers.set(name, subject);
    }
    return subject;
  }

  parts(): HostParts {
    this.#parts ??= new HostParts(this.entry);
    return this.#parts;
  }

  /** The host, its containers, and its parts together. */
  *subjects(): Generator<Subject> {
    yield this.host;
    if (this.#parts !== null) yield this.#parts;
    if (this.#containers !== null) yield* this.#containers.values();
  }

  /** Restores the stored state. All arguments in ms. */
  restore(intervalMs: number, offsetMs: number, lastSampleAt: number | null): void {
    this.#interval = new UsualInterval({ ms: intervalMs, lastTime: lastSampleAt });
    this.#offset = new ClockOffset(offsetMs);
    if (lastSampleAt !== null) this.#offset.continueFrom(lastSampleAt);
    this.#lastSampleAt = lastSampleAt;
    this.stored = true;
  }

  /** Restores the values of the live row, which are no newer than its newest sample; after `restore` and the blocks. */
  restoreLive(row: Readonly<Record<(typeof LIVE_METRICS)[number], number | null>>): void {
    for (const metric of LIVE_METRICS) {
      const place = this.host.placeOf(metric);
      const value = row[metric];
      if (place !== undefined && value !== null && this.#lastSampleAt !== null)
        this.host.blocks[ordinalOf(place)]?.observe(slotOf(place), this.#lastSampleAt, value);
    }
  }

  /** The newest sample time by the present clock of the host, ms. */
  get newest(): number {
    return this.#lastSampleAt ?? Number.POSITIVE_INFINITY;
  }

  /** Observes a payload that is committed, or will be together with the first live row. Times in ms. */
  seen(receivedAt: number, time: number): void {
    if (receivedAt > this.#lastSeen) this.#lastSeen = receivedAt;
    this.#skew = skewSeconds(time, receivedAt);
    // Observes the clock at most once between two flushes.
    const shows = this.#skew === null;
    if (!this.#clockObserved && this.#offset.observe(receivedAt, time, shows) < 0) this.#setBack(time);
    this.#clockObserved = true;
    if (this.#skew !== null) return;
    this.#interval.observe(time);
    if (this.#lastSampleAt === null || time > this.#lastSampleAt) this.#lastSampleAt = time;
  }

  /** Handles a clock that was set back to `time`, so that later payloads count as newer than all stored ones. */
  #setBack(time: number): void {
    for (const subject of this.subjects()) for (const block of subject.blocks) block.setBack(time);
    this.#parts?.setBack(time);
    this.#interval = new UsualInterval({ ms: this.#interval.ms, lastTime: time });
    this.#lastSampleAt = time;
    if (this.entry.tagsAt > time) {
      this.entry.tagsAt = time;
      this.entry.isClockSetBack = true;
    }
  }

  /** Returns the live values for the list of services, to be flushed. */
  live(): ServiceLive {
    this.#clockObserved = false;
    const [cpuPercent = null, memoryPercent = null, diskPercent = null] = LIVE_METRICS.map((metric) =>
      this.host.latest(metric),
    );
    return {
      organizationId: this.entry.organizationId,
      serviceId: this.entry.serviceId,
      lastSeen: this.#lastSeen,
      lastSampleAt: this.#lastSampleAt,
      intervalSeconds: this.#interval.ms > 0 ? this.#interval.ms / 1000 : null,
      clockOffsetSeconds: this.#offset.ms / 1000,
      clockSkewSeconds: this.#skew ?? wrongClockSeconds(this.#offset.ms),
      cpuPercent,
      memoryPercent,
      diskPercent,
    };
  }
}
