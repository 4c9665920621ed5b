import { fieldOf, subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import type { Queryable } from '@tidewatch/database/connection';
import { evaluateNoData, PART_GONE_MS } from '@tidewatch/domain/alerting/absence';
import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import {
  type DataSource,
  readReporting,
  readReportingParts,
  readSourcesWithState,
} from '@tidewatch/store/rule-states/data-sources';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import { applyVerdict, confirm } from '../evaluation/apply-verdict.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import { streamOf } from '../memory/compile-streams.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { Ownership } from '../memory/ownership.ts';
import type { Stream, StreamIdentity } from '../memory/stream.ts';
import { streamName } from '../memory/stream-name.ts';
import type { RuleIndex } from '../rules/rule-index.ts';

interface WatchedStream {
  readonly identity: StreamIdentity;
  /** When data of the stream was last received, on the pipeline clock, ms. */
  lastSeenAt: number;
}

interface WatchedData extends ServiceKey {
  partition: number;
  /** The watched streams of the host by the name of the stream. */
  readonly streams: Map<string, WatchedStream>;
}

/**
 * Watches when data was last received for streams whose rules act on missing data. A rollback does not undo receipts,
 * because the samples are delivered again.
 */
export class DataWatch {
  readonly #services = new Map<string, WatchedData>();
  readonly #known = new Set<string>();
  /** Rules whose data is watched. */
  #expected: readonly CompiledRule[] | null = null;

  /** Records that data of the stream was received at `now`. */
  note(service: EvaluatedService, stream: Stream, partition: number, now: number): void {
    if (stream.lastSeenAt === now) return;
    stream.lastSeenAt = now;
    const { organizationId: org, serviceId: id } = service;
    const { subject, metric, key } = stream;
    const { streams } = this.#of({ org, id }, partition);
    // Stores the identity and not the stream, which is a new object once its host is loaded again.
    const identity = { subject, metric, key };
    streams.set(streamName(subject, key), { identity, lastSeenAt: now });
  }

  /** Treats all data of a host as received at `now`, since its payloads wait to be evaluated. */
  postpone(serviceId: string, now: number): void {
    const watched = this.#services.get(serviceId);
    if (watched === undefined) return;
    for (const stream of watched.streams.values()) stream.lastSeenAt = now;
  }

  /** Watches the data of new and edited rules; each gets a full grace period from now on. */
  async expect(
    sql: Queryable,
    rules: readonly CompiledRule[],
    owned: Ownership,
    clock: (partition: number) => number,
  ): Promise<void> {
    if (rules === this.#expected) return;
    for (const rule of rules) {
      const versionKey = `${rule.id}/${rule.version}`;
      if (this.#known.has(versionKey)) continue;
      this.#known.add(versionKey);
      for (const { org, id, host, subjectKind: kind, subjectName: name } of await sourcesOf(sql, rule)) {
        if (!owned.owns(org, host)) continue;
        const partition = owned.partitionOf(org, host);
        const { streams } = this.#of({ org, id }, partition);
        const identity = { subject: { kind, name }, metric: rule.metric, key: rule.streamKey };
        const streamed = streamName(identity.subject, identity.key);
        if (!streams.has(streamed)) streams.set(streamed, { identity, lastSeenAt: clock(partition) });
      }
    }
    this.#expected = rules;
  }

  /** Returns the hosts of a partition with data that has been missing for the shortest period of any rule. */
  overdue(partition: number, now: number, rules: RuleIndex): ServiceKey[] {
    if (this.#services.size === 0) return [];
    const minWaitMs = Math.min(...rules.watchingData.map((rule) => rule.noData.afterMs));
    const overdue: ServiceKey[] = [];
    for (const watched of this.#services.values()) {
      if (watched.partition !== partition) continue;
      for (const { lastSeenAt } of watched.streams.values()) {
        if (now - lastSeenAt < minWaitMs) continue;
        overdue.push(watched);
        break;
      }
    }
    return overdue;
  }

  /** Evaluates missing data of a host at `now` on the pipeline clock; `at` is the time of the alert, ms. */
  evaluate(
    evaluation: Evaluation & { rules: RuleIndex },
    service: EvaluatedService,
    now: number,
    at: number,
  ): void {
    const watched = this.#services.get(service.serviceId);
    if (!watched) return;
    for (const [name, { identity, lastSeenAt }] of watched.streams) {
      streamOf(service, evaluation.rules, identity.subject, identity.metric);
      const stream = service.streams.get(name);
      if (!stream?.ruleSet.watchesData) {
        watched.streams.delete(name);
        continue;
      }
      for (const instance of stream.wake()) {
        if (now - lastSeenAt < instance.rule.noData.afterMs) continue;
        const previous = instance.state;
        const lastEvaluatedAt =
          instance.evaluatedAt === Number.NEGATIVE_INFINITY ? null : instance.evaluatedAt;
        // If the rule fires on missing data, missing data confirms an alert that an old sample fired.
        if (instance.unconfirmed && instance.rule.noData.policy === 'alert')
          confirm(evaluation, instance, { at, value: previous?.value ?? null, origin: null });
        const verdict = evaluateNoData(instance.rule, previous, lastEvaluatedAt, at);
        if (!verdict) continue;
        const value = previous?.value ?? null;
        applyVerdict(evaluation, instance, verdict, {
          at,
          value,
          payload: null,
          origin: null,
          backfilled: () => false,
          resolution: 'no_data',
        });
      }
      stream.settle();
      // A part that stays away this long is gone: nothing is missing any more.
      if (identity.subject.kind === 'part' && now - lastSeenAt >= PART_GONE_MS) watched.streams.delete(name);
    }
  }

  forget(serviceId: string): void {
    this.#services.delete(serviceId);
  }

  clear(): void {
    this.#services.clear();
    this.#known.clear();
    this.#expected = null;
  }

  #of(key: ServiceKey, partition: number): WatchedData {
    let watched = this.#services.get(key.id);
    if (!watched) {
      watched = { org: key.org, id: key.id, partition, streams: new Map() };
      this.#services.set(key.id, watched);
    }
    return watched;
  }
}

async function sourcesOf(sql: Queryable, rule: CompiledRule): Promise<DataSource[]> {
  const kind = subjectKindOf(rule.metric);
  if (kind === 'process') return readSourcesWithState(sql, rule.organizationId, rule.id);
  const metric = kind === 'host' ? rule.metric : fieldOf(rule.metric);
  const sources = await readReporting(sql, rule.organizationId, kind, metric);
  if (rule.partMetric === null) return sources;
  return [...sources, ...(await readReportingParts(sql, rule.organizationId, rule.partMetric))];
}
