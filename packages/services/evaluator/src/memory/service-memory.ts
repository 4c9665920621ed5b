import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import type { Sql } from '@tidewatch/database/connection';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { readPartLabels } from '@tidewatch/store/parts/part-rows';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import type { RuleIndex } from '../rules/rule-index.ts';
import { ActiveRows } from './active-rows.ts';
import { AlertInstance } from './alert-instance.ts';
import { compileStreams } from './compile-streams.ts';
import type { EvaluatedService } from './evaluated-service.ts';
import { type LoadCircumstances, loadServices, newService } from './loading/load-services.ts';
import { readWriterPosition } from './loading/writer-position.ts';
import type { Ownership } from './ownership.ts';

const SERVICES_PER_LOAD = 250;
/** The number of parallel loads: the database reads for one while the rows of another are processed. */
const LOADS_AT_ONCE = 2;

/** Sources of the memory; `clock` in ms since the epoch. */
export interface MemorySource {
  directory: ServiceDirectory;
  sql: Sql;
  clock: () => number;
}

/** Called on changes of hosts in memory. */
export interface MemoryListener {
  /** A host was updated to new rules or tags. */
  compiled(service: EvaluatedService): void;
  /** Alert instances are no longer evaluated; without a `resolution`, a change of their rule is the reason. */
  dropped(instances: readonly AlertInstance[], resolution?: Resolution): void;
}

/** The hosts in memory: loaded when first needed and kept up to date with rules and tags. */
export class ServiceMemory {
  readonly #source: MemorySource;
  readonly #rules: RuleIndex;
  readonly #owned: Ownership;
  readonly #listener: MemoryListener;
  readonly #services = new Map<string, EvaluatedService>();
  /** The host of each payload of the loaded requests, so that none is looked up again. */
  #assigned = new Map<SampleBatch, (EvaluatedService | null)[]>();
  #rows = new ActiveRows();
  readonly #turn: Turn;

  constructor(
    source: MemorySource,
    rules: RuleIndex,
    owned: Ownership,
    listener: MemoryListener,
    turn: Turn,
  ) {
    this.#source = source;
    this.#rules = rules;
    this.#owned = owned;
    this.#listener = listener;
    this.#turn = turn;
  }

  get size(): number {
    return this.#services.size;
  }

  get(id: string): EvaluatedService | undefined {
    return this.#services.get(id);
  }

  delete(id: string): void {
    this.#services.delete(id);
  }

  clear(): void {
    this.#services.clear();
    this.#assigned = new Map();
    // Replaced instead of cleared, because alert instances that are still referenced keep their rows.
    this.#rows = new ActiveRows();
  }

  /** Looks up the hosts of requests that are evaluated next. Returns the entries that are not loaded yet. */
  assign(requests: readonly SampleBatch[]): ServiceEntry[] {
    const missing = new Set<ServiceEntry>();
    this.#assigned = new Map();
    for (const request of requests) {
      const services: (EvaluatedService | null)[] = [];
      for (const entry of this.#source.directory.entriesOf(request)) {
        const service = entry === null ? null : (this.#services.get(entry.serviceId) ?? null);
        if (entry !== null && service === null) missing.add(entry);
        services.push(service);
      }
      this.#assigned.set(request, services);
    }
    return [...missing];
  }

  /** Releases the requests of the transaction and their hosts. */
  release(): void {
    this.#assigned = new Map();
  }

  /** Returns the host of each payload of a loaded request. `update` gives the hosts their present tags and rules. */
  servicesOf(request: SampleBatch): readonly (EvaluatedService | null)[] {
    return this.#assigned.get(request) ?? [];
  }

  /** Updates the hosts of a loaded request to their present tags and rules. Returns a promise only if one has to be compiled. */
  update(request: SampleBatch): Promise<void> | undefined {
    const { directory } = this.#source;
    const { payloads, receivedAt } = request;
    const entries = directory.entriesOf(request);
    const services = this.#assigned.get(request);
    if (services === undefined)
      throw new Error('a transaction can only evaluate requests that it was begun with');
    // Looks hosts up again, because a writer in another process has a directory of its own.
    for (let index = 0; index < payloads.length; index += 1) {
      const { tags, time } = payloads[index] as Payload;
      const entry = entries[index] ?? null;
      const setBackTo = services[index]?.clockSetBackTo ?? null;
      if (entry !== null && setBackTo !== null) {
        directory.setClockBack(entry, setBackTo);
        (services[index] as EvaluatedService).clockSetBackTo = null;
      }
      if (entry !== null && tags !== undefined) directory.retag(entry, tags, time, receivedAt);
    }
    let changed: Set<EvaluatedService> | null = null;
    for (let index = 0; index < services.length; index += 1) {
      const service = services[index] ?? null;
      const entry = entries[index] ?? null;
      if (entry === null) services[index] = null;
      else if (service !== null && this.#takeTagsAndLabels(service, entry, payloads[index] as Payload)) {
        changed ??= new Set();
        changed.add(service);
      }
    }
    return changed === null ? undefined : this.#compileAll(changed);
  }

  /**
   * Adds a host whose row no other transaction can see yet, so that it cannot be loaded; returns null if it is already in
   * memory.
   */
  register(entry: ServiceEntry): EvaluatedService | null {
    if (this.#services.has(entry.serviceId)) return null;
    const { organizationId, serviceId, host } = entry;
    const service = newService(organizationId, serviceId, host, this.#source.clock(), this.#rows);
    // Nothing is stored of its parts.
    service.parts.kindsToLoad(this.#rules.labelledKindsOf(organizationId));
    this.#services.set(entry.serviceId, service);
    return service;
  }

  /** Loads hosts and updates them to the present rules. Returns the deleted ones. */
  async load(keys: readonly ServiceKey[], circumstances: LoadCircumstances = {}): Promise<Set<string>> {
    const { sql, clock } = this.#source;
    const deleted = new Set<string>();
    const missing = keys.filter((key) => !this.#services.has(key.id));
    const parts = partsOf(missing).values();
    const loads = Array.from({ length: LOADS_AT_ONCE }, async () => {
      for (const release of parts) {
        const writerPosition = () => readWriterPosition(sql, this.#owned, circumstances.coming);
        const options = { rows: this.#rows, now: clock(), writerPosition, ...circumstances };
        const loaded = await loadServices(sql, release, this.#rules, this.#turn, options);
        for (const service of loaded.services) {
          this.#services.set(service.serviceId, service);
          this.#listener.compiled(service);
          // Ends alerts that were still active when the host was archived.
          if (service.archivedAt !== null) this.endInstances(service, 'service_archived');
        }
        for (const id of loaded.deleted) deleted.add(id);
        this.#listener.dropped(loaded.dropped);
      }
    });
    // Waits for both loads even if one fails, because the other would add hosts after the rollback.
    for (const result of await Promise.allSettled(loads))
      if (result.status === 'rejected') throw result.reason;
    for (const key of keys) {
      const service = this.#services.get(key.id);
      if (service && service.generation !== this.#rules.generationOf(service.organizationId))
        await this.#compile(service);
    }
    return deleted;
  }

  /** Ends the active alert instances of a host and replaces them by inactive ones. */
  endInstances(service: EvaluatedService, resolution: Resolution): void {
    for (const stream of service.streams.values()) {
      const begun = stream.instances.filter(({ phase }) => phase !== null);
      if (begun.length === 0) continue;
      const instances = stream.instances.map((instance) =>
        instance.phase === null ? instance : new AlertInstance(stream, instance.rule, instance.evaluatedAt),
      );
      stream.replaceInstances(stream.ruleSet, instances);
      this.#listener.dropped(begun, resolution);
    }
  }

  /**
   * Copies the tags of the directory entry and the labels of the payload's parts. Returns whether the host's streams have to be
   * compiled again.
   */
  #takeTagsAndLabels(service: EvaluatedService, { tags }: ServiceEntry, { parts, time }: Payload): boolean {
    const { organizationId } = service;
    const isFitted = service.tags === tags && service.generation === this.#rules.generationOf(organizationId);
    service.tags = tags;
    const metrics = this.#rules.partMetricsOf(organizationId);
    const isRelabelled = parts !== undefined && service.parts.takeLabels(parts.shape, time, metrics);
    return !isFitted || isRelabelled;
  }

  async #compileAll(services: Iterable<EvaluatedService>): Promise<void> {
    for (const service of services) await this.#compile(service);
  }

  async #compile(service: EvaluatedService): Promise<void> {
    await this.#loadLabels(service);
    this.#listener.dropped(await compileStreams(service, this.#rules, this.#turn));
    this.#listener.compiled(service);
    if (this.#turn.isOver) await this.#turn.yieldWhenDue();
  }

  /** Reads the stored labels of parts whose kind has had no rule that matches labels before. */
  async #loadLabels({ organizationId, serviceId, parts }: EvaluatedService): Promise<void> {
    const kinds = parts.kindsToLoad(this.#rules.labelledKindsOf(organizationId));
    if (kinds.length === 0) return;
    for (const { kind, name, labels } of await readPartLabels(this.#source.sql, {
      organizationId,
      serviceId,
      kinds,
    }))
      parts.labelFromStore(partSubject(kind, name), labels);
  }
}

function partsOf(keys: readonly ServiceKey[]): (readonly ServiceKey[])[] {
  const parts: (readonly ServiceKey[])[] = [];
  for (let start = 0; start < keys.length; start += SERVICES_PER_LOAD)
    parts.push(keys.slice(start, start + SERVICES_PER_LOAD));
  return parts;
}
