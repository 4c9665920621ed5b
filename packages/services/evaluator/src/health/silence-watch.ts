import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import {
  hasRhythm,
  isSilent,
  MIN_SILENCE_MS,
  maxSilenceMs,
  PipelineClock,
} from '@tidewatch/domain/health/silence';
import type { WatchedService } from '@tidewatch/store/health/read';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { Ownership } from '../memory/ownership.ts';
import type { Watched } from '../memory/watched.ts';

/** What the store knows of a host when watching begins. */
interface Known {
  intervalSeconds: number | null;
  offline: boolean;
  /** When the first and the newest payload of the host were received, ms. */
  firstSeen: number | null;
  lastSeen: number | null;
}

const UNKNOWN: Known = { intervalSeconds: null, offline: false, firstSeen: null, lastSeen: null };

/** How long a host has been silent. */
export interface Silence {
  key: ServiceKey;
  /** The length of the silence in minutes, measured on the pipeline clock. */
  minutes: number;
  /** Whether the host sent a request since the evaluator began to watch it. */
  wasSeen: boolean;
  /** Whether the silence of the host is unexpected: it sends at a usual interval and has exceeded it. */
  isUnexpected: boolean;
}

/**
 * Watches when each host was last received. Each partition has a pipeline clock of its own, since partitions may lag behind
 * each other. Receipts of a rolled back transaction are undone.
 */
export class SilenceWatch {
  readonly #clocks = new Map<number, PipelineClock>();
  readonly #watched = new Map<string, Watched>();
  /** The pipeline time of each partition before which no host of it becomes silent, ms. */
  readonly #dueAt = new Map<number, number>();
  #undo: (() => void)[] = [];

  get size(): number {
    return this.#watched.size;
  }

  /** Watches a host as if it had been received now, unless it is already watched. */
  watch(partition: number, organizationId: string, serviceId: string, known: Known): void {
    if (this.#watched.has(serviceId)) return;
    const interval = new UsualInterval({ ms: (known.intervalSeconds ?? 0) * 1_000, lastTime: null });
    const clock = this.#clockOf(partition);
    this.#watched.set(serviceId, {
      org: organizationId,
      id: serviceId,
      partition,
      clock,
      forgotten: false,
      lastSeenAt: clock.value,
      interval,
      offline: known.offline,
      wasSeen: false,
      firstReceivedAt: known.firstSeen,
      lastReceivedAt: known.lastSeen,
    });
  }

  /** Watches the services that belong to partitions of this evaluator. */
  watchAll(services: readonly WatchedService[], owned: Ownership): void {
    for (const service of services) {
      const { organizationId, serviceId, host } = service;
      if (!owned.owns(organizationId, host)) continue;
      this.watch(owned.partitionOf(organizationId, host), organizationId, serviceId, service);
    }
  }

  /**
   * Returns the entry of a host, and starts to watch a host that was not watched. The entry is valid until the host is
   * forgotten.
   */
  watchedOf(partition: number, organizationId: string, serviceId: string): Watched {
    const known = this.#watched.get(serviceId);
    if (known !== undefined) return known;
    this.watch(partition, organizationId, serviceId, UNKNOWN);
    this.#undo.push(() => this.forget(serviceId));
    return this.#watched.get(serviceId) as Watched;
  }

  /** Records a request received at `receivedAt` (ms). Returns whether the host was offline until now. */
  recordReceipt(watched: Watched, receivedAt: number): boolean {
    watched.lastSeenAt = watched.clock.value;
    watched.wasSeen = true;
    watched.firstReceivedAt ??= receivedAt;
    watched.lastReceivedAt = receivedAt;
    watched.interval.observe(receivedAt);
    return this.#setOffline(watched, false);
  }

  /** Restarts the silence of a host whose payloads wait to be evaluated. */
  postpone(serviceId: string): void {
    const watched = this.#watched.get(serviceId);
    if (watched !== undefined) watched.lastSeenAt = watched.clock.value;
  }

  /**
   * Applies a partition's heartbeat. Returns the hosts that have just become silent, at most `max` of each organization;
   * further ones are returned by the next heartbeats.
   */
  tick(partition: number, at: number, max = Number.POSITIVE_INFINITY): ServiceKey[] {
    const clock = this.#clockOf(partition);
    const before = clock.value;
    const now = clock.tick(at);
    const silent: ServiceKey[] = [];
    const counts = new Map<string, number>();
    if (now === before || now < (this.#dueAt.get(partition) ?? 0)) return silent;
    // A host that is received from now on has the shortest silence still before it, whatever its interval becomes.
    let dueAt = now + MIN_SILENCE_MS;
    for (const watched of this.#watched.values()) {
      if (watched.partition !== partition || watched.offline) continue;
      const silentAt = watched.lastSeenAt + maxSilenceMs(watched.interval.ms);
      const count = counts.get(watched.org) ?? 0;
      if (now < silentAt || count >= max) {
        dueAt = Math.min(dueAt, silentAt);
        continue;
      }
      counts.set(watched.org, count + 1);
      this.#setOffline(watched, true);
      silent.push({ org: watched.org, id: watched.id });
    }
    this.#dueAt.set(partition, dueAt);
    return silent;
  }

  /** Whether a host became silent while it was watched; false if only the stored status says so. */
  isSilent(serviceId: string): boolean {
    const watched = this.#watched.get(serviceId);
    return (
      watched?.offline === true &&
      isSilent(this.timeOf(watched.partition), watched.lastSeenAt, watched.interval.ms)
    );
  }

  /** Returns a partition’s pipeline time, ms. */
  timeOf(partition: number): number {
    return this.#clockOf(partition).value;
  }

  /** Returns how long each host of a partition has been silent, of the organizations that `isWanted` names. */
  *silences(partition: number, isWanted: (organizationId: string) => boolean): Generator<Silence> {
    const now = this.timeOf(partition);
    for (const watched of this.#watched.values()) {
      if (watched.partition !== partition || !isWanted(watched.org)) continue;
      const { lastSeenAt, wasSeen, interval, firstReceivedAt, lastReceivedAt } = watched;
      const isUnexpected =
        isSilent(now, lastSeenAt, interval.ms) &&
        hasRhythm(firstReceivedAt ?? 0, lastReceivedAt ?? 0, interval.ms);
      yield { key: watched, minutes: (now - lastSeenAt) / MINUTE_MS, wasSeen, isUnexpected };
    }
  }

  usualIntervalMs(serviceId: string): number {
    return this.#watched.get(serviceId)?.interval.ms ?? 0;
  }

  forget(serviceId: string): void {
    const watched = this.#watched.get(serviceId);
    if (watched === undefined) return;
    watched.forgotten = true;
    this.#watched.delete(serviceId);
  }

  /** Stops watching every host; a host that is watched again gets a full grace period. */
  clear(): void {
    this.#clocks.clear();
    this.#dueAt.clear();
    for (const watched of this.#watched.values()) watched.forgotten = true;
    this.#watched.clear();
    this.#undo = [];
  }

  committed(): void {
    this.#undo = [];
  }

  rolledBack(): void {
    for (const undo of this.#undo.reverse()) undo();
    this.#undo = [];
    this.#dueAt.clear();
  }

  #clockOf(partition: number): PipelineClock {
    let clock = this.#clocks.get(partition);
    if (clock === undefined) {
      clock = new PipelineClock();
      this.#clocks.set(partition, clock);
    }
    return clock;
  }

  #setOffline(watched: Watched, offline: boolean): boolean {
    if (watched.offline === offline) return false;
    watched.offline = offline;
    this.#undo.push(() => {
      watched.offline = !offline;
    });
    return true;
  }
}
