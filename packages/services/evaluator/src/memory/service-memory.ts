import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Sql } from '@tidewatch/store/connection';
import type { ServiceDirectory } from '@tidewatch/store/directory/service-directory';
import type { ServiceEntry } from '@tidewatch/store/directory/service-entry';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { RuleIndex } from '../rules/rule-index.ts';
import { ActiveRows } from './active-rows.ts';
import { compileStreams } from './compile-streams.ts';
import type { JudgedService } from './judged-service.ts';
import { type LoadCircumstances, loadServices, newService } from './load-services.ts';
import type { Ownership } from './ownership.ts';
import type { Pair } from './pair.ts';
import { readWriterPosition } from './writer-position.ts';

const SERVICES_PER_LOAD = 1_000;

/** What memory is filled from; `clock` in ms since the epoch. */
export interface MemorySource {
  directory: ServiceDirectory;
  sql: Sql;
  clock: () => number;
}

/** Who is told of what becomes of services. */
export interface MemoryListener {
  /** A service was fitted to rules or tags that are new to it. */
  compiled(service: JudgedService): void;
  /** Pairs that are judged no longer; without a resolution their rule says why. */
  dropped(pairs: readonly Pair[], resolution?: Resolution): void;
}

/** The services that are judged, brought here when first needed and kept in step with rules and tags. */
export class ServiceMemory {
  readonly #source: MemorySource;
  readonly #rules: RuleIndex;
  readonly #owned: Ownership;
  readonly #listener: MemoryListener;
  readonly #services = new Map<string, JudgedService>();
  #rows = new ActiveRows();

  constructor(source: MemorySource, rules: RuleIndex, owned: Ownership, listener: MemoryListener) {
    this.#source = source;
    this.#rules = rules;
    this.#owned = owned;
    this.#listener = listener;
  }

  get size(): number {
    return this.#services.size;
  }

  get(id: string): JudgedService | undefined {
    return this.#services.get(id);
  }

  has(id: string): boolean {
    return this.#services.has(id);
  }

  delete(id: string): void {
    this.#services.delete(id);
  }

  clear(): void {
    this.#services.clear();
    // Whoever still holds a pair from before may ask it as ever.
    this.#rows = new ActiveRows();
  }

  /** The services of the request's hosts, with their tags and rules as they are now. */
  of({ organizationId, receivedAt, payloads }: SampleBatch): Map<string, JudgedService> {
    const { directory } = this.#source;
    const found = new Map<string, JudgedService>();
    for (const { host, tags, time } of payloads) {
      const entry = directory.find(organizationId, host, receivedAt);
      // Where the writer is another process, its directory is another too.
      if (entry && tags) directory.retag(entry, tags, time, receivedAt);
      if (found.has(host)) continue;
      const service = entry ? this.#services.get(entry.serviceId) : undefined;
      if (!entry || !service) continue;
      if (service.tags !== entry.tags || service.generation !== this.#rules.generation) {
        service.tags = entry.tags;
        this.#compile(service);
      }
      found.set(host, service);
    }
    return found;
  }

  /** Takes a service in that the store does not show outside of this transaction; null where it is known. */
  register(entry: ServiceEntry): JudgedService | null {
    if (this.#services.has(entry.serviceId)) return null;
    const { organizationId, serviceId, host } = entry;
    const service = newService(organizationId, serviceId, host, this.#source.clock(), this.#rows);
    this.#services.set(entry.serviceId, service);
    return service;
  }

  /** Brings services into memory, fitted to the rules as they are; answers those that were deleted. */
  async load(keys: readonly ServiceKey[], circumstances: LoadCircumstances = {}): Promise<Set<string>> {
    const { sql, clock } = this.#source;
    const deleted = new Set<string>();
    const missing = keys.filter((key) => !this.#services.has(key.id));
    for (let start = 0; start < missing.length; start += SERVICES_PER_LOAD) {
      const part = missing.slice(start, start + SERVICES_PER_LOAD);
      const writerPosition = () => readWriterPosition(sql, this.#owned, circumstances.coming);
      const options = { rows: this.#rows, now: clock(), writerPosition, ...circumstances };
      const loaded = await loadServices(sql, part, this.#rules, options);
      for (const service of loaded.services) {
        this.#services.set(service.serviceId, service);
        this.#listener.compiled(service);
      }
      for (const id of loaded.deleted) deleted.add(id);
      this.#listener.dropped(loaded.dropped);
    }
    for (const key of keys) {
      const service = this.#services.get(key.id);
      if (service && service.generation !== this.#rules.generation) this.#compile(service);
    }
    return deleted;
  }

  /** Ends what a service's pairs have begun; they stay, to judge what comes. */
  endPairs(service: JudgedService, resolution: Resolution): void {
    for (const stream of service.streams.values()) {
      this.#listener.dropped(stream.pairs, resolution);
      stream.settle();
    }
  }

  #compile(service: JudgedService): void {
    this.#listener.dropped(compileStreams(service, this.#rules));
    this.#listener.compiled(service);
  }
}
