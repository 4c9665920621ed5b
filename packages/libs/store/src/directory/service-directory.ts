import type { Queryable, Transaction } from '../connection.ts';
import { type Revisions, readRevisions } from '../revisions/revisions.ts';
import type { ServiceEntry } from './service-entry.ts';
import { createServices, findDeletedSince, findServices } from './service-rows.ts';

const DAY = 86_400_000;

export interface ServiceDirectoryOptions {
  /** Makes an id of a service, `svc_…`. */
  newId: (prefix: 'svc') => string;
  clock: () => number;
}

/**
 * Hosts to services, cached; creates what is missing inside the caller's transaction. One instance serves all
 * consumers of one process. What a transaction created is kept only once `committed` was called.
 */
export class ServiceDirectory {
  readonly #newId: (prefix: 'svc') => string;
  readonly #clock: () => number;
  readonly #entries = new Map<string, Map<string, ServiceEntry>>();
  #uncommitted: ServiceEntry[] = [];
  #revision: number | undefined;
  #watched = new WeakMap<object, Promise<Revisions>>();

  constructor(options: ServiceDirectoryOptions) {
    this.#newId = options.newId;
    this.#clock = options.clock;
  }

  /** The cached service of a host, without asking the store. */
  lookup(organizationId: string, host: string): ServiceEntry | undefined {
    return this.#entries.get(organizationId)?.get(host);
  }

  /** Every cached service. */
  *entries(): IterableIterator<ServiceEntry> {
    for (const hosts of this.#entries.values()) yield* hosts.values();
  }

  /**
   * The services of `hosts`, in their order; what is missing is created with `receivedAt` (ms) as its first
   * sight. Null where the payload was received before the host's service was deleted: it is to be dropped.
   */
  async resolve(
    tx: Transaction,
    organizationId: string,
    hosts: readonly string[],
    receivedAt: number,
  ): Promise<(ServiceEntry | null)[]> {
    let cached = this.#entries.get(organizationId);
    if (cached === undefined) {
      cached = new Map();
      this.#entries.set(organizationId, cached);
    }
    const missing = new Set<string>();
    for (const host of hosts) if (!cached.has(host)) missing.add(host);
    const refused =
      missing.size > 0 ? await this.#load(tx, organizationId, [...missing], receivedAt, cached) : undefined;
    return hosts.map((host) => {
      if (refused?.has(host)) return null;
      const entry = cached.get(host);
      return entry === undefined || receivedAt <= entry.notBefore ? null : entry;
    });
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
    this.#uncommitted = [];
  }

  /** The transaction was rolled back, or nobody knows: what it created or changed is read anew when next needed. */
  forget(): void {
    for (const entry of this.#uncommitted) this.#evict(entry);
    this.#uncommitted = [];
  }

  /** To be called by whoever changes an entry (its tags) inside a transaction. */
  touched(entry: ServiceEntry): void {
    this.#uncommitted.push(entry);
  }

  async #load(
    tx: Transaction,
    organizationId: string,
    hosts: string[],
    receivedAt: number,
    cached: Map<string, ServiceEntry>,
  ): Promise<Set<string>> {
    hosts.sort();
    const found = await findServices(tx, organizationId, hosts);
    const refused = new Set<string>();
    const deletedAt = new Map<string, number>();
    for (const row of found) deletedAt.set(row.host, row.lastDeletedAt ?? Number.NEGATIVE_INFINITY);
    const alive = found.filter((row) => row.serviceId !== null);
    const known = new Set(alive.map((row) => row.host));
    const absent = hosts.filter((host) => !known.has(host));
    for (const host of absent) {
      if (receivedAt <= (deletedAt.get(host) ?? Number.NEGATIVE_INFINITY)) refused.add(host);
    }
    const wanted = absent.filter((host) => !refused.has(host));
    const created = await createServices(tx, organizationId, wanted, () => this.#newId('svc'), receivedAt);
    for (const row of [...alive, ...created]) {
      const entry: ServiceEntry = {
        organizationId,
        serviceId: row.serviceId as string,
        host: row.host,
        tags: row.tags,
        tagsAt: row.tagsAt ?? Number.NEGATIVE_INFINITY,
        notBefore: deletedAt.get(row.host) ?? Number.NEGATIVE_INFINITY,
        alive: true,
      };
      cached.set(row.host, entry);
      this.#uncommitted.push(entry);
    }
    return refused;
  }

  async #watch(tx: Queryable): Promise<Revisions> {
    const revisions = await readRevisions(tx);
    if (this.#revision !== revisions.services) {
      // The first time too: entries may have been cached by `resolve` before anybody watched.
      const deleted = new Set(await findDeletedSince(tx, this.#clock() - DAY));
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
  }
}
