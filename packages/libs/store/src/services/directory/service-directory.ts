import { setTimeout as sleep } from 'node:timers/promises';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable, Transaction } from '@tidewatch/database/connection';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { type Revisions, readRevisions } from '../../revisions/revisions.ts';
import type { ServiceEntry } from './service-entry.ts';
import { createServices, findDeletedSince, findServices, type NewService } from './service-rows.ts';

export interface ServiceDirectoryOptions {
  /** Makes an id of a service, `svc_…`. */
  newId: (prefix: 'svc') => string;
  clock: () => number;
  /**
   * How long to wait for another process to create the service of an unknown host, ms; after that it is created here. The
   * writer creates a service together with its first values, so that no list shows it without values. Default 0.
   */
  creationDelayMs?: number;
}

/** The interval between checks whether another process has created a service, ms. */
const CHECK_INTERVAL_MS = 20;

/** The hosts of the payloads of one request; `receivedAt` in ms. */
export interface ReceivedHosts {
  readonly organizationId: string;
  readonly receivedAt: number;
  readonly payloads: readonly { readonly host: string }[];
}

/**
 * Caches the services of hosts for all consumers of a process, and creates missing ones in the caller's transaction. Call
 * `ensure` and `retag` in a transaction, then `committed`, or `forget` after a rollback.
 */
export class ServiceDirectory {
  readonly #newId: (prefix: 'svc') => string;
  readonly #clock: () => number;
  readonly #creationDelayMs: number;
  readonly #entries = new Map<string, Map<string, ServiceEntry>>();
  #uncommitted: ServiceEntry[] = [];
  /** Services whose tags the current transaction changed, with the sample time of the tags, ms. */
  #retagged = new Map<ServiceEntry, number>();
  #revision: number | undefined;
  #watched = new WeakMap<object, Promise<Revisions>>();
  /** The entries of current requests, since each consumer asks for the same hosts. Cleared when an entry is added or evicted. */
  #resolved = new Map<ReceivedHosts, readonly (ServiceEntry | null)[]>();

  constructor(options: ServiceDirectoryOptions) {
    this.#newId = options.newId;
    this.#clock = options.clock;
    this.#creationDelayMs = options.creationDelayMs ?? 0;
  }

  /**
   * The service of each payload of a request, in order, after `ensure`. Null for a payload that was received before the
   * service of its host was deleted, which the caller drops.
   */
  entriesOf(request: ReceivedHosts): readonly (ServiceEntry | null)[] {
    let entries = this.#resolved.get(request);
    if (entries === undefined) {
      const { organizationId, receivedAt, payloads } = request;
      const hosts = this.#entries.get(organizationId);
      entries = payloads.map(({ host }) => {
        const entry = hosts?.get(host);
        return entry === undefined || receivedAt <= entry.notBefore ? null : entry;
      });
      this.#resolved.set(request, entries);
    }
    return entries;
  }

  /** Every cached service. */
  *entries(): IterableIterator<ServiceEntry> {
    for (const hosts of this.#entries.values()) yield* hosts.values();
  }

  /** Reads the services of all hosts of the requests and creates missing ones, first seen when the request was received. */
  async ensure(tx: Transaction, requests: readonly ReceivedHosts[]): Promise<void> {
    const missing = new Map<string, Map<string, number[]>>();
    for (const request of requests) {
      // A null entry is a deleted service, or one that has not been read yet.
      if (this.entriesOf(request).every((entry) => entry !== null)) continue;
      const { organizationId, receivedAt, payloads } = request;
      const cached = this.#entries.get(organizationId);
      for (const { host } of payloads) {
        if (cached?.has(host)) continue;
        let hosts = missing.get(organizationId);
        if (hosts === undefined) {
          hosts = new Map();
          missing.set(organizationId, hosts);
        }
        const times = hosts.get(host);
        if (times === undefined) hosts.set(host, [receivedAt]);
        else if (times.at(-1) !== receivedAt) times.push(receivedAt);
      }
    }
    for (const [organizationId, hosts] of missing) await this.#load(tx, organizationId, hosts);
  }

  /** Reads the revision counters once for each transaction and evicts services that were deleted since the last call. */
  watch(tx: Transaction): Promise<Revisions> {
    let reading = this.#watched.get(tx);
    if (reading === undefined) {
      reading = this.#watch(tx);
      this.#watched.set(tx, reading);
    }
    return reading;
  }

  /** Keeps in the cache what the transaction created; must be called after its commit. */
  committed(): void {
    for (const entry of this.#uncommitted) entry.isNew = false;
    // The stored tags have a time of the clock as it is now, so that they are compared by it again.
    for (const entry of this.#retagged.keys()) entry.isClockSetBack = false;
    this.#uncommitted = [];
    this.#retagged.clear();
    this.#resolved = new Map();
  }

  /** Evicts what the transaction created or changed, after a rollback or an unknown outcome; it is read again when needed. */
  forget(): void {
    for (const entry of this.#uncommitted) this.#evict(entry);
    this.#uncommitted = [];
    this.#retagged.clear();
    this.#resolved = new Map();
  }

  /** The services that the current transaction created. */
  created(): ServiceEntry[] {
    return this.#uncommitted.filter((entry) => entry.isNew);
  }

  /** Evicts every entry; services are read again when needed. */
  clear(): void {
    this.#entries.clear();
    this.#uncommitted = [];
    this.#retagged.clear();
    this.#resolved = new Map();
  }

  /**
   * Sets the tags of a service to those of a payload (times in ms), unless known tags are newer; after a rollback the
   * service is read again.
   */
  retag(entry: ServiceEntry, tags: Record<string, string>, time: number, receivedAt: number): void {
    if (time < entry.tagsAt || time - receivedAt > MAX_SKEW_MS) return;
    if (time > entry.tagsAt) entry.tagsAt = time;
    if (sameTags(entry.tags, tags)) return;
    entry.tags = tags;
    this.#retagged.set(entry, time);
    this.touched(entry);
  }

  /**
   * Records that the clock of a host was set back to `time` (ms), so that its next tags count as newer than the stored
   * ones.
   */
  setClockBack(entry: ServiceEntry, time: number): void {
    if (entry.tagsAt <= time) return;
    entry.tagsAt = time;
    entry.isClockSetBack = true;
  }

  /** Services whose tags the current transaction changed, through any consumer; times in ms. */
  retagged(): { entry: ServiceEntry; tags: Record<string, string>; tagsAt: number }[] {
    return [...this.#retagged].map(([entry, tagsAt]) => ({ entry, tags: entry.tags, tagsAt }));
  }

  /** Must be called after an entry was changed in a transaction, so that a rollback evicts it. */
  touched(entry: ServiceEntry): void {
    this.#uncommitted.push(entry);
  }

  /** Reads or creates services; `receivedAtOf` maps each host to the receipt of its payloads. */
  async #load(
    tx: Transaction,
    organizationId: string,
    receivedAtOf: ReadonlyMap<string, readonly number[]>,
  ): Promise<void> {
    const until = performance.now() + this.#creationDelayMs;
    let { found, missing } = await findOrMissing(tx, organizationId, receivedAtOf);
    while (missing.length > 0 && performance.now() < until) {
      await sleep(CHECK_INTERVAL_MS);
      ({ found, missing } = await findOrMissing(tx, organizationId, receivedAtOf));
    }
    const deletedAt = new Map(found.map((row) => [row.host, row.lastDeletedAt]));
    const wanted: NewService[] = missing.map((each) => ({ id: this.#newId('svc'), ...each }));
    const created = await createServices(tx, organizationId, wanted);
    const ids = new Set(wanted.map(({ id }) => id));
    this.#resolved = new Map();
    let cached = this.#entries.get(organizationId);
    if (cached === undefined) {
      cached = new Map();
      this.#entries.set(organizationId, cached);
    }
    for (const row of [...found, ...created]) {
      if (row.serviceId === null) continue;
      const entry: ServiceEntry = {
        organizationId,
        serviceId: row.serviceId,
        host: row.host,
        tags: row.tags,
        tagsAt: row.tagsAt ?? Number.NEGATIVE_INFINITY,
        isClockSetBack: row.isClockSetBack,
        notBefore: deletedAt.get(row.host) ?? Number.NEGATIVE_INFINITY,
        isNew: ids.has(row.serviceId),
        alive: true,
      };
      cached.set(row.host, entry);
      this.#uncommitted.push(entry);
    }
  }

  async #watch(tx: Queryable): Promise<Revisions> {
    const revisions = await readRevisions(tx);
    if (this.#revision !== revisions.services) {
      // Also runs at the first call, because `ensure` may have cached entries before.
      const deleted = new Set(await findDeletedSince(tx, this.#clock() - DAY_MS));
      if (deleted.size > 0) {
        for (const entry of this.entries()) {
          if (!deleted.has(entry.serviceId)) continue;
          entry.alive = false;
          this.#evict(entry);
        }
      }
      this.#revision = revisions.services;
    }
    return revisions;
  }

  #evict(entry: ServiceEntry): void {
    const hosts = this.#entries.get(entry.organizationId);
    if (hosts?.get(entry.host) === entry) hosts.delete(entry.host);
    this.#resolved = new Map();
  }
}

/**
 * The stored services of hosts, and the hosts for which one must be created: at least one payload was received after the
 * last deletion.
 */
async function findOrMissing(
  tx: Transaction,
  organizationId: string,
  receivedAtOf: ReadonlyMap<string, readonly number[]>,
) {
  const found = await findServices(tx, organizationId, [...receivedAtOf.keys()].sort());
  const rows = new Map(found.map((row) => [row.host, row]));
  const missing: Omit<NewService, 'id'>[] = [];
  for (const [host, times] of receivedAtOf) {
    const row = rows.get(host);
    if (row?.serviceId) continue;
    const deletedAt = row?.lastDeletedAt ?? Number.NEGATIVE_INFINITY;
    const firstSeen = Math.min(...times.filter((time) => time > deletedAt));
    if (firstSeen < Number.POSITIVE_INFINITY) missing.push({ host, firstSeen });
  }
  return { found, missing };
}

function sameTags(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  let count = 0;
  for (const name in a) {
    if (a[name] !== b[name]) return false;
    count++;
  }
  for (const _ in b) count--;
  return count === 0;
}
