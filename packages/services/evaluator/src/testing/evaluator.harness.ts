import type { Delivery } from '@tidewatch/bus/bus';
import {
  metricsOf,
  type Payload,
  type SampleBatch,
  type SampleRecord,
} from '@tidewatch/contracts/ingest/sample';
import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, type Store } from '@tidewatch/database/connection';
import { openTestStore, type TestStore } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { bumpRevision } from '@tidewatch/store/revisions/revisions';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import { ServiceDirectory } from '@tidewatch/store/services/directory/service-directory';
import { createEvaluator, type Evaluator } from '../evaluator.ts';
import { writeSampleRows } from './sample-rows.harness.ts';

export const ORGANIZATION = 'org_00000000000070008000000000000001';

export class InjectedFailure extends Error {}

/** A database, an evaluator on it, and the parts of the writer that it needs: blocks, slots and rows of samples. */
export class EvaluatorHarness {
  readonly store: TestStore;
  /** Connects as the query API does. */
  readonly api: Store;
  #hosts = 0;
  /** The server's clock, ms, which only tests move. */
  now = Math.floor(Date.now() / 1000) * 1000;
  evaluator!: Evaluator;
  directory!: ServiceDirectory;

  /** `sampleLayout`: that of new databases unless it is given. */
  static async open(sampleLayout?: SampleLayout): Promise<EvaluatorHarness> {
    const store = await openTestStore({
      as: 'product',
      organizations: [ORGANIZATION],
      max: 6,
      ...(sampleLayout && { sampleLayout }),
    });
    const harness = new EvaluatorHarness(store);
    await harness.begin();
    return harness;
  }

  private constructor(store: TestStore) {
    this.store = store;
    this.api = openStore({ url: store.database.apiUrl, max: 2, bindsOrganization: true });
  }

  /** Max transitions of one organization in one transaction, for the next process. */
  alertsAtOnce: number | undefined;
  alertInstancesLimit: number | undefined;
  /** The interval of ticks of the next process, ms. */
  tickEveryMs = 20;

  /** Starts an evaluator process without memory. Tests run its ticks. */
  async begin(): Promise<void> {
    this.directory = new ServiceDirectory({ newId, clock: () => this.now });
    this.evaluator = createEvaluator({
      directory: this.directory,
      sql: this.store.sql,
      clock: () => this.now,
      newId,
      publicUrl: 'https://tidewatch.example',
      archiveAfter: { anyMs: 7 * DAY_MS, ephemeralMs: DAY_MS },
      metrics: createMetrics(),
      logger: createSilentLogger(),
      tickEveryMs: this.tickEveryMs,
      ...(this.alertInstancesLimit === undefined ? {} : { alertInstancesLimit: this.alertInstancesLimit }),
      ...(this.alertsAtOnce === undefined ? {} : { alertsAtOnce: this.alertsAtOnce }),
    });
  }

  async close(): Promise<void> {
    await this.evaluator.stop();
    await this.api.close();
    await this.store.close();
  }

  async rule(fields: Partial<RuleDefinition> = {}): Promise<{ id: string; metric: string }> {
    const id = newId('rul');
    const definition = definitionOf({
      name: `rule ${id.slice(-4)}`,
      metric: `m_${id.slice(-12)}`,
      duration_minutes: 0,
      ...fields,
    });
    await this.store.transact(async (tx) => {
      await tx`insert into alert_rules (organization_id, id, name, enabled, metric, severity, definition, created_at)
        values (${ORGANIZATION}, ${id}, ${definition.name}, ${definition.enabled}, ${definition.metric}, ${definition.severity},
          ${tx.json(definition as never)}, ${this.now})`;
      await bumpRevision(tx, 'rules');
    });
    return { id, metric: definition.metric };
  }

  /** A name that no other host of the harness has. */
  newHost(): string {
    this.#hosts += 1;
    return `host-${this.#hosts}`;
  }

  /** A new host, and a rule of a metric of its own. */
  async hostAndRule(fields: Partial<RuleDefinition> = {}) {
    return { host: this.newHost(), rule: await this.rule(fields) };
  }

  /** A new host, and a rule for that host alone. */
  async ownRule(fields: Partial<RuleDefinition> = {}) {
    const host = this.newHost();
    return { host, rule: await this.rule({ ...fields, scope: { hosts: [host] } }) };
  }

  async edit(id: string, fields: Partial<RuleDefinition>): Promise<void> {
    await this.store.transact(async (tx) => {
      await tx`update alert_rules set definition = definition || ${tx.json(fields as never)}, version = version + 1, updated_at = ${this.now},
        enabled = ${fields.enabled ?? true}, metric = coalesce(${fields.metric ?? null}, metric) where id = ${id}`;
      await bumpRevision(tx, 'rules');
    });
  }

  async deleteRule(id: string): Promise<void> {
    await this.store.transact(async (tx) => {
      await tx`update alert_rules set deleted_at = ${this.now} where id = ${id}`;
      await bumpRevision(tx, 'rules');
    });
  }

  async deleteService(host: string): Promise<void> {
    await this.store.transact(async (tx) => {
      await tx`update services set deleted_at = ${this.now} where host = ${host} and deleted_at is null`;
      await bumpRevision(tx, 'services');
    });
  }

  /**
   * Delivers records to evaluator and writer, in several transactions if the evaluator splits them, and returns their
   * number. `fail` rolls back the first and delivers nothing; `retry` rolls back the last once and repeats it; after
   * `parts` transactions the rest is dropped.
   */
  async publish(
    records: SampleRecord[],
    options: { fail?: boolean; retry?: boolean; store?: boolean; parts?: number } = {},
  ): Promise<number> {
    const { consumer } = this.evaluator;
    let deliveries: Delivery<SampleRecord>[] = records.map((value, i) => ({
      topic: 'tidewatch.samples',
      partition: 0,
      offset: BigInt(i),
      key: '',
      value,
      publishedAt: this.now,
    }));
    let { retry: isToFail = false } = options;
    for (let count = 1; ; count += 1) {
      const left: Delivery<SampleRecord>[] = [];
      try {
        await this.store.transact(async (tx) => {
          await this.directory.watch(tx);
          const verdicts = await consumer.handle(deliveries, tx);
          for (const [index, delivery] of deliveries.entries()) {
            const verdict = verdicts[index];
            const isPart = verdict?.kind === 'part';
            const taken = isPart ? (verdict.done as SampleRecord | null) : delivery.value;
            if (isPart) left.push({ ...delivery, value: verdict.rest as SampleRecord });
            if (taken?.kind === 'samples' && options.store !== false)
              await writeSampleRows(tx, this.#target(), taken.payloads);
          }
          if (options.fail || (isToFail && left.length === 0)) throw new InjectedFailure();
        });
      } catch (error) {
        consumer.rolledBack?.('rolled_back');
        if (!(error instanceof InjectedFailure)) throw error;
        if (options.fail) return count;
        isToFail = false;
        continue;
      }
      consumer.committed?.();
      if (left.length === 0 || count === options.parts) return count;
      deliveries = left;
    }
  }

  /** A request that has just arrived, as the gateway publishes it. */
  request(payloads: Payload[], more: Partial<SampleBatch> = {}): SampleBatch {
    return {
      kind: 'samples',
      organizationId: ORGANIZATION,
      receivedAt: this.now,
      stalledMs: 0,
      payloads,
      ...more,
    };
  }

  /** A request with the same values of each host. */
  requestOf(hosts: readonly string[], values: Record<string, number>, time = this.now): SampleBatch {
    return this.request(hosts.map((host) => ({ host, time, ...metricsOf(values) })));
  }

  /** Sends one request; `minutes` are relative to the harness’s clock. */
  async send(
    host: string,
    metric: string,
    samples: [minutes: number, value: number][],
    more: Partial<Payload> = {},
    options: { fail?: boolean; retry?: boolean; parts?: number } = {},
  ): Promise<void> {
    const payloads = this.#payloads(host, metric, samples).map((payload) => ({ ...payload, ...more }));
    await this.publish([this.request(payloads)], options);
  }

  /** Stores samples without evaluating them, as a separate writer does. */
  async storeAlone(host: string, metric: string, samples: [minutes: number, value: number][]): Promise<void> {
    await this.store.transact(async (tx) => {
      await this.directory.watch(tx);
      await writeSampleRows(tx, this.#target(), this.#payloads(host, metric, samples));
    });
    this.directory.committed();
  }

  /** Evaluates samples without storing them, as a separate evaluator does. */
  async evaluateAlone(
    host: string,
    metric: string,
    samples: [minutes: number, value: number][],
  ): Promise<void> {
    const payloads = this.#payloads(host, metric, samples);
    await this.publish([this.request(payloads)], { store: false });
  }

  /** Starts an evaluator that owns the only partition; `applied` is how many records writer and evaluator have applied. */
  async takeOver(applied: { writer: number; evaluator: number }): Promise<void> {
    for (const [consumer, next] of Object.entries(applied))
      await this.store.sql`
        insert into consumer_offsets (consumer, topic, partition, next_offset, epoch)
        values (${consumer}, 'tidewatch.samples', 0, ${next}, 1)
        on conflict (consumer, topic, partition) do update set next_offset = excluded.next_offset`;
    await this.begin();
    this.evaluator.consumer.assigned?.({ partitions: new Set([0]), count: 1, hold: async () => true });
  }

  #target() {
    return { organizationId: ORGANIZATION, directory: this.directory, now: this.now };
  }

  #payloads(host: string, metric: string, samples: [minutes: number, value: number][]): Payload[] {
    return samples.map(([minutes, value]) => ({
      host,
      time: this.now + minutes * MINUTE_MS,
      ...metricsOf({ [metric]: value }),
    }));
  }

  /** Sends a heartbeat for each second, as gateways do. */
  async beat(seconds: number): Promise<void> {
    await this.publish(this.beats(seconds));
  }

  /** The heartbeats of the next seconds, which pass meanwhile. */
  beats(seconds: number): SampleRecord[] {
    return Array.from({ length: seconds }, () => {
      this.now += 1_000;
      return { kind: 'heartbeat', at: this.now };
    });
  }

  /** Runs ticks until no work is left. */
  async settled(): Promise<void> {
    await this.evaluator.start();
    await this.evaluator.stop();
  }

  alerts(ruleId: string) {
    return this.store.sql`select * from alerts where rule_id = ${ruleId} order by fired_at, id`;
  }

  async service(host: string) {
    const [row] = await this.store.sql`select * from services where host = ${host} and deleted_at is null`;
    return row;
  }

  async events(): Promise<{ type: string; subject: string; data: Record<string, never> }[]> {
    const rows = await this.store.sql<
      { event: { type: string; subject: string; data: Record<string, never> } }[]
    >`select event from outbox order by id`;
    return rows.map((row) => row.event);
  }

  /** The types of the events about an object, in their order. */
  async typesOf(subject: unknown): Promise<string[]> {
    return (await this.events()).filter((event) => event.subject === subject).map(({ type }) => type);
  }
}
