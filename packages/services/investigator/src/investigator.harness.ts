import type { Verdict } from '@tidewatch/bus/bus';
import type { Alert } from '@tidewatch/contracts/alerts/alert';
import { toIso } from '@tidewatch/contracts/time/time';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, type Store } from '@tidewatch/database/connection';
import type { Verdict as Result } from '@tidewatch/domain/investigation/verdict/verdict';
import { DEFAULT_RETENTION } from '@tidewatch/domain/rollup/buckets';
import { openTestStore, type TestStore } from '@tidewatch/harness/store';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics, type Metrics } from '@tidewatch/runtime/telemetry/metrics';
import type { AnalysisListener, Analyst } from './analysis/analyst.ts';
import { createInvestigator, type Investigator, type InvestigatorOptions } from './investigator.ts';
import { WITHOUT_RESTS } from './run/pace.ts';
import { finding, verdictOf } from './testing/verdict.ts';

export const ORGANIZATION = 'org_00000000000070008000000000000001';

type Analysis = (listener: AnalysisListener, signal: AbortSignal) => Promise<Result | null>;

/** A database with services and alerts, and investigators on it whose analysis is replaced by `analysis`. */
export class InvestigatorHarness {
  /** Connected as the superuser, to write fixtures and to read results. */
  readonly admin: TestStore;
  /** Connected as the role of the investigator. */
  readonly store: Store;
  readonly metrics: Metrics = createMetrics();
  /** The result of each analysis; by default a finding about the process "job". */
  analysis: Analysis = async () => verdictOf([finding()]);
  /** The ids of the analysed services, in order. */
  analysed: string[] = [];
  /** The clock of the server, ms; tests set it. */
  now = Math.floor(Date.now() / 1_000) * 1_000;
  investigator: Investigator;
  #all: Investigator[] = [];

  static async open(): Promise<InvestigatorHarness> {
    return new InvestigatorHarness(await openTestStore({ organizations: [ORGANIZATION], max: 2 }));
  }

  private constructor(admin: TestStore) {
    this.admin = admin;
    this.store = openStore({ url: admin.database.urlOfRole('tidewatch_investigator'), max: 4 });
    this.investigator = this.another();
  }

  /** Another investigator on the same store, as in another process. */
  another(options: Partial<InvestigatorOptions> = {}): Investigator {
    const analyst: Analyst = {
      analyse: (job, listener, signal) => {
        this.analysed.push(job.facts.serviceId);
        return this.analysis(listener, signal);
      },
      close: async () => undefined,
    };
    const investigator = createInvestigator({
      sql: this.store.sql,
      clock: () => this.now,
      newId,
      metrics: this.metrics,
      analyst,
      logger: createSilentLogger(),
      retention: DEFAULT_RETENTION,
      explainer: null,
      maxPeers: 50,
      severityFloor: 'warning',
      atOnce: 1,
      pace: WITHOUT_RESTS,
      publicUrl: 'https://tidewatch.example',
      holder: `harness-${this.#all.length}`,
      pollIntervalMs: 20,
      leaseMs: 500,
      ...options,
    });
    this.#all.push(investigator);
    return investigator;
  }

  /** Stops every investigator and empties the store before another test. */
  async reset(): Promise<void> {
    for (const investigator of this.#all) await investigator.stop();
    await this.admin.sql`
      truncate investigations, investigation_evidence, investigation_alerts, alerts, services, outbox cascade`;
    this.metrics.registry.resetMetrics();
    this.#all = [];
    this.analysed = [];
    this.analysis = async () => verdictOf([finding()]);
    this.investigator = this.another();
  }

  async close(): Promise<void> {
    for (const investigator of this.#all) await investigator.stop();
    this.metrics.close();
    await this.store.close();
    await this.admin.close();
  }

  async service(host: string): Promise<{ id: string; host: string }> {
    const id = newId('svc');
    await this.admin.sql`
      insert into services (organization_id, id, host, first_seen, status_since)
      values (${ORGANIZATION}, ${id}, ${host}, ${this.now}, ${this.now})`;
    return { id, host };
  }

  /** Stores a firing alert of a service and returns it with its event. */
  async fired(service: { id: string; host: string }, fields: Partial<Alert> = {}): Promise<FiredAlert> {
    const alert = {
      id: newId('alr'),
      severity: 'critical',
      backfilled: false,
      shadow: false,
      no_data: true,
      rule_id: 'rul_1',
      ...fields,
    };
    await this.admin.sql`
      insert into alerts (organization_id, id, rule_id, rule_name, rule_version, service_id, host, subject_kind, subject_name,
        status, state, severity, metric, condition, threshold, summary, pending_since, fired_at, context, backfilled,
        shadow, no_data)
      values (${ORGANIZATION}, ${alert.id}, ${alert.rule_id}, 'busy', 1, ${service.id}, ${service.host}, 'host', ${service.host},
        'active', 'firing', ${alert.severity}, 'cpu_percent', 'greater_than', 90, ${`${service.host} is busy.`},
        ${this.now - 300_000}, ${this.now}, '{}', ${alert.backfilled}, ${alert.shadow}, ${alert.no_data})`;
    const event = {
      specversion: '1.0',
      id: newId('evt'),
      source: `/tidewatch/${ORGANIZATION}`,
      type: 'alert.fired',
      subject: alert.id,
      time: toIso(this.now),
      data: { alert: { id: alert.id, service_id: service.id } },
    };
    return { id: alert.id, event };
  }

  /** Stores a firing alert of a service, and delivers its event. */
  async fire(service: { id: string; host: string }, investigator = this.investigator): Promise<FiredAlert> {
    const alert = await this.fired(service);
    await this.publish([alert.event], investigator);
    return alert;
  }

  /** Delivers events to an investigator in one transaction, as the bus does. Returns its verdicts. */
  async publish(events: readonly unknown[], investigator = this.investigator): Promise<readonly Verdict[]> {
    const deliveries = events.map((value, index) => ({
      topic: 'tidewatch.events',
      partition: 0,
      offset: BigInt(index),
      key: '',
      value,
      publishedAt: this.now,
    }));
    const verdicts = await this.store.transact((tx) => investigator.consumer.handle(deliveries, tx));
    investigator.consumer.committed?.();
    return verdicts;
  }

  /** Every investigation, in the order of creation. */
  async investigations() {
    return this.admin.sql<StoredInvestigation[]>`
      select i.*, array(select alert_id from investigation_alerts a where a.investigation_id = i.id order by 1) as alerts
      from investigations i order by created_at, id`;
  }

  async statuses(): Promise<string[]> {
    return (await this.investigations()).map(({ status }) => status);
  }

  /** The types of the emitted events about investigations, in order, without the prefix `investigation.`. */
  async emitted(): Promise<string[]> {
    const rows = await this.admin.sql<{ type: string }[]>`
      select event ->> 'type' as type from outbox where event ->> 'type' like 'investigation.%' order by id`;
    return rows.map(({ type }) => type.slice('investigation.'.length));
  }
}

export interface FiredAlert {
  id: string;
  event: object;
}

export interface StoredInvestigation {
  id: string;
  host: string;
  status: string;
  severity: string;
  title: string;
  alert_id: string;
  alerts: string[];
  storm_alerts: number;
  attempts: number;
  conclusion: string | null;
  failure: string | null;
  reruns: number;
  history_redone: boolean;
  history_at: number | null;
  again_at: number | null;
  findings: { id: string; title: string; evidence_ids: string[] }[];
  analysis: { root_cause: string; root_cause_finding_id: string; model_status: string } | null;
  timeline: { at: string; type: string; title: string }[];
  window_from: number;
  window_to: number;
}
