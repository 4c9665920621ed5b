import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { DAY_MS } from '@tidewatch/domain/rollup/tier';
import type { Queryable, Transaction } from '../../database/connection.ts';
import { type Revisions, readRevisions } from '../../revisions/revisions.ts';
import type { ServiceEntry } from './service-entry.ts';
import { createServices, findDeletedSince, findServices, type NewService } from './service-rows.ts';

export interface ServiceDirectoryOptions {
  /** Makes an id of a service, `svc_…`. */
  newId: (prefix: 'svc') => string;
  clock: () => number;
  /**
   * How long a host that nobody knows yet is left to another process before its service is created here, ms. That
   * process, the writer, makes it together with its first values, so that no list shows it without any. 0 by default.
   */
  creationDelayMs?: number;
}

/** Between two looks whether another process has created a service, ms. */
const LOOK_EVERY_MS = 20;

/** Hosts that were heard of together, as a request carries them; `receivedAt` in ms. */
export interface ReceivedHosts {
  readonly organizationId: string;
  readonly receivedAt: number;
  readonly payloads: readonly { readonly host: string }[];
}

/**
 * Hosts to services, cached; creates what is missing inside the caller's transaction. One instance serves all
 * consumers of one process. What a transaction created is kept only once `committed` was called.
 */
export class ServiceDirectory {
  readonly #newId: (prefix: 'svc') => string;
  readonly #clock: () => number;
  readonly #creationDelayMs: number;
  readonly #entries = new Map<string, Map<string, ServiceEntry>>();
  #uncommitted: ServiceEntry[] = [];
  /** Since when (ms) services have other tags, of those to which the transaction under way gave some. */
  #retagged = new Map<ServiceEntry, number>();
  #revision: number | undefined;
  #watched = new WeakMap<object, Promise<Revisions>>();
  /** Of requests under way, since each consumer asks for the same hosts again. Let go of whenever an entry comes or goes. */
  #resolved = new Map<ReceivedHosts, readonly (ServiceEntry | null)[]>();

  constructor(options: ServiceDirectoryOptions) {
    this.#newId = options.newId;
    this.#clock = options.clock;
    this.#creationDelayMs = options.creationDelayMs ?? 0;
  }

  /**
   * The service of each payload of a request that `ensure` was called for, in their order. Null where it was received
   * before the host's service was deleted: it is to be dropped.
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

  /** Reads the services of all hosts of the requests, and creates those that are missing, first seen when received. */
  async ensure(tx: Transaction, requests: readonly ReceivedHosts[]): Promise<void> {
    const missing = new Map<string, Map<string, number[]>>();
    for (const request of requests) {
      // An entry that is null stands for a deleted service, or for one that nobody has looked for yet.
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

  /**
   * Reads the revision counters, once for each transaction however many consumers ask, and lets go of
   * services that were deleted since the last time.
   */
  watch(tx: Transaction): Promise<Revisions> {
    let reading = this.#watched.get(tx);
    if (reading === undefined) {
      reading = this.#watch(tx);
      this.#watched.set(tx, reading);
    }
    return reading;
  }

  /** The transaction committed: what it created stays. */
  committed(): void {
    for (const entry of this.#uncommitted) entry.isNew = false;
    this.#uncommitted = [];
    this.#retagged.clear();
    this.#resolved = new Map();
  }

  /** The transaction was rolled back, or nobody knows: what it created or changed is read anew when next needed. */
  forget(): void {
    for (const entry of this.#uncommitted) this.#evict(entry);
    this.#uncommitted = [];
    this.#retagged.clear();
    this.#resolved = new Map();
  }

  /** The services that the transaction under way has created. */
  created(): ServiceEntry[] {
    return this.#uncommitted.filter((entry) => entry.isNew);
  }

  /** Forgets everything: what is needed is read anew. */
  clear(): void {
    this.#entries.clear();
    this.#uncommitted = [];
    this.#retagged.clear();
    this.#resolved = new Map();
  }

  /**
   * Gives a service the tags of a payload (times in ms) unless newer ones are known; the entry is read anew if the
   * transaction is rolled back.
   */
  retag(entry: ServiceEntry, tags: Record<string, string>, time: number, receivedAt: number): void {
    if (time < entry.tagsAt || time - receivedAt > MAX_SKEW_MS) return;
    if (time > entry.tagsAt) entry.tagsAt = time;
    if (sameTags(entry.tags, tags)) return;
    entry.tags = tags;
    this.#retagged.set(entry, time);
    this.touched(entry);
  }

  /** The clock of a host was set back to `time`, ms: the tags that come from now on are newer than those that are known. */
  setClockBack(entry: ServiceEntry, time: number): void {
    if (entry.tagsAt <= time) return;
    entry.tagsAt = time;
    entry.isClockSetBack = true;
  }

  /** Services whose tags the transaction under way has changed, whichever consumer saw it first; times in ms. */
  retagged(): { entry: ServiceEntry; tags: Record<string, string>; tagsAt: number }[] {
    return [...this.#retagged].map(([entry, tagsAt]) => ({ entry, tags: entry.tags, tagsAt }));
  }

  /** To be called by whoever changes an entry (its tags) inside a transaction. */
  touched(entry: ServiceEntry): void {
    this.#uncommitted.push(entry);
  }

  /** `heard` names hosts and when payloads of theirs were received. */
  async #load(
    tx: Transaction,
    organizationId: string,
    heard: ReadonlyMap<string, readonly number[]>,
  ): Promise<void> {
    const until = performance.now() + this.#creationDelayMs;
    let { found, missing } = await lookUp(tx, organizationId, heard);
    while (missing.length > 0 && performance.now() < until) {
      await sleep(LOOK_EVERY_MS);
      ({ found, missing } = await lookUp(tx, organizationId, heard));
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
      // The first time too: entries may have been cached by `ensure` before anybody watched.
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

/** The services of hosts, and the hosts that are to get one: not those of which all was received before a deletion. */
async function lookUp(
  tx: Transaction,
  organizationId: string,
  heard: ReadonlyMap<string, readonly number[]>,
) {
  const found = await findServices(tx, organizationId, [...heard.keys()].sort());
  const rows = new Map(found.map((row) => [row.host, row]));
  const missing: Omit<NewService, 'id'>[] = [];
  for (const [host, times] of heard) {
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
