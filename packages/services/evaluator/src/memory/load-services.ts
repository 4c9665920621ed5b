import type { SampleBatch } from '@tidewatch/contracts/sample';
import { ClockOffset } from '@tidewatch/domain/alerting/clock-offset';
import { LARGEST_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import type { Sql } from '@tidewatch/store/connection';
import { readServiceHealth, type ServiceHealthRow } from '@tidewatch/store/health/read';
import { readStates, type ServiceKey, type StoredState } from '@tidewatch/store/rule-states/read';
import { type MetricLatest, readMetricLatest, readSamplesSince } from '@tidewatch/store/rule-states/restore';
import type { RuleIndex } from '../rules/rule-index.ts';
import { compileStreams } from './compile-streams.ts';
import type { JudgedService, Pair } from './judged-service.ts';
import { Stream } from './stream.ts';
import type { WriterPosition } from './writer-position.ts';

export interface LoadedServices {
  services: JudgedService[];
  /** Services that were deleted; with `deleted: true` they are among `services` instead. */
  deleted: Set<string>;
  /** Pairs whose rule no longer wants them; their alerts are to be ended. */
  dropped: Pair[];
}

/** Why services are loaded. */
export interface LoadCircumstances {
  /** Requests that are judged next. */
  coming?: readonly SampleBatch[];
  /** Deleted services are wanted too. */
  withDeleted?: boolean;
  /**
   * They are only to be fitted to the rules: those of which it is not known how far they were judged are left out
   * unless something of them ends, and loaded once they are met.
   */
  onlyToReconcile?: boolean;
}

export interface LoadOptions extends LoadCircumstances {
  /** Server clock, ms. */
  now: number;
  /** Asked after samples were read, so that it cannot know less of the writer than they do. */
  writerPosition(): Promise<WriterPosition>;
}

/**
 * Reads what the store knows of services: health, states, and the last judged times, made good from samples where
 * the process ended uncleanly. `sql` must not be the transaction in which samples are being written, or a batch
 * would count as judged before it is. Services that `sql` cannot see are left out, deleted ones unless asked for.
 */
export async function loadServices(
  sql: Sql,
  keys: readonly ServiceKey[],
  rules: RuleIndex,
  { now, withDeleted = false, onlyToReconcile = false, writerPosition }: LoadOptions,
): Promise<LoadedServices> {
  const found = await readServiceHealth(sql, keys);
  const rows = found.filter((row) => withDeleted || !row.deleted);
  const ids = rows.map((row) => row.serviceId);
  const loaded: LoadedServices = { services: [], deleted: new Set(), dropped: [] };
  for (const row of found) if (row.deleted) loaded.deleted.add(row.serviceId);
  if (ids.length === 0) return loaded;
  const until = now + LARGEST_SKEW_MS;
  const [states, latest] = await Promise.all([readStates(sql, ids), readMetricLatest(sql, ids, until)]);
  const position = await writerPosition();
  const unknown = new Set(states.map((state) => state.ruleId).filter((id) => !rules.get(id)));
  const ended = await rules.readEnded(sql, [...unknown]);
  const statesOf = Map.groupBy(states, (state) => state.serviceId);
  const latestOf = Map.groupBy(latest, (metric) => metric.serviceId);
  const active: ActivePair[] = [];
  for (const row of rows) {
    const service = serviceOf(row);
    const metrics = new Map((latestOf.get(row.serviceId) ?? []).map((metric) => [metric.metric, metric]));
    const judged = Math.min(until, position.judgedUntil(row));
    // Times of samples that the writer stored ahead of us say nothing of what was judged.
    const newestOf = (metric: MetricLatest | undefined) =>
      judged < until ? null : (metric?.latestAt ?? null);
    for (const metric of metrics.values())
      addStream(service, rules, metric.metric, row.intervalSeconds, newestOf(metric));
    for (const state of statesOf.get(row.serviceId) ?? []) {
      const rule = rules.get(state.ruleId)?.compiled ?? ended.get(state.ruleId);
      if (!rule) continue;
      const pair = pairOf(service, rule, state);
      const metric = state.alertMetric ?? rule.metric;
      const stream = streamFor(service, metric, row.intervalSeconds);
      stream.pairs = [...stream.pairs, pair];
      const stored = metrics.get(metric);
      // Without the sample that it judged nothing speaks against a pending pair.
      const doubtful = state.state === 'pending' && !position.lacks(row);
      const edited = doubtful && (rules.get(state.ruleId)?.editedSince ?? true);
      if (stored && (edited || (stored.latestAt ?? 0) > state.judgedAt))
        active.push({ pair, latest: stored, edited, until: judgedOf(stored, judged, state.judgedAt) });
      else if (edited) loaded.dropped.push(withdrawn(pair));
    }
    loaded.dropped.push(
      ...compileStreams(service, rules, (metric, ruleId) =>
        judged < until ? Number.NEGATIVE_INFINITY : judgedBefore(rules, ruleId, metrics.get(metric)),
      ),
    );
    if (!onlyToReconcile || judged === until || loaded.dropped.some((pair) => pair.service === service))
      loaded.services.push(service);
  }
  for (const { pair } of await catchUp(sql, active)) {
    if (!loaded.dropped.includes(pair)) loaded.dropped.push(withdrawn(pair));
  }
  return loaded;
}

/** Not beyond what was there when the writer's position was asked for: it goes on meanwhile. */
function judgedOf({ latestAt }: MetricLatest, until: number, judgedAt: number): number {
  return Math.max(judgedAt, Math.min(until, latestAt ?? judgedAt));
}

/** A service that was created in the transaction under way: nothing of it is stored yet. */
export function newService(
  organizationId: string,
  serviceId: string,
  host: string,
  now: number,
): JudgedService {
  return serviceOf({
    organizationId,
    serviceId,
    host,
    tags: {},
    status: 'healthy',
    reasons: [],
    statusSince: now,
    intervalSeconds: null,
    clockOffsetSeconds: null,
    clockSkewSeconds: null,
    lastSeen: now,
    deleted: false,
  });
}

function serviceOf(row: ServiceHealthRow): JudgedService {
  return {
    organizationId: row.organizationId,
    serviceId: row.serviceId,
    host: row.host,
    tags: row.tags,
    generation: -1,
    streams: new Map(),
    names: [],
    judged: [],
    offset: new ClockOffset((row.clockOffsetSeconds ?? 0) * 1_000),
    skewSeconds:
      row.clockSkewSeconds !== null && row.clockSkewSeconds * 1_000 > LARGEST_SKEW_MS
        ? row.clockSkewSeconds
        : null,
    offline: row.status === 'offline',
    lastSeen: row.lastSeen,
    health: { status: row.status, reasons: row.reasons, since: row.statusSince, counts: '' },
    request: -1,
    newestInRequest: 0,
  };
}

function addStream(
  service: JudgedService,
  rules: RuleIndex,
  metric: string,
  intervalSeconds: number | null,
  newest: number | null,
): void {
  if (rules.forMetric(service.organizationId, metric).rules.length === 0) return;
  streamFor(service, metric, intervalSeconds, newest);
}

function streamFor(
  service: JudgedService,
  metric: string,
  intervalSeconds: number | null,
  newest: number | null = null,
): Stream {
  let stream = service.streams.get(metric);
  if (!stream) {
    stream = new Stream(metric, (intervalSeconds ?? 0) * 1_000, newest ?? Number.NEGATIVE_INFINITY);
    service.streams.set(metric, stream);
  }
  return stream;
}

function pairOf(service: JudgedService, rule: Pair['rule'], stored: StoredState): Pair {
  const {
    state,
    pendingSince,
    clearSince,
    judgedAt,
    value,
    peakValue,
    flapCount,
    alertId,
    firedAt,
    valueAtFire,
  } = stored;
  const alert =
    alertId === null
      ? null
      : {
          organizationId: stored.organizationId,
          id: alertId,
          severity: stored.alertSeverity ?? rule.severity,
          ruleVersion: stored.alertRuleVersion ?? rule.version,
          row: null,
          change: null,
        };
  return {
    rule,
    service,
    state: {
      state,
      pendingSince,
      clearSince,
      judgedAt,
      value,
      peakValue,
      flapCount,
      alertId,
      firedAt,
      valueAtFire,
    },
    judgedAt,
    stored: true,
    alert,
    storedAt: judgedAt,
    dirty: false,
  };
}

/** The newest sample of the metric, unless it arrived before the rule began to judge. */
function judgedBefore(rules: RuleIndex, ruleId: string, latest: MetricLatest | undefined): number {
  const rule = rules.get(ruleId);
  if (!rule?.evaluated || latest?.latestAt == null) return Number.NEGATIVE_INFINITY;
  if (latest.appliedAt !== null && latest.appliedAt < rule.createdAt) return Number.NEGATIVE_INFINITY;
  return latest.latestAt;
}

/** A pair whose stored state is to be compared with the samples; `edited` where the rule changed since. */
interface ActivePair {
  pair: Pair;
  latest: MetricLatest;
  edited: boolean;
  /** The newest sample time that counts as judged, ms. */
  until: number;
}

/**
 * Values after `judgedAt` made no transition, or it would be stored: they only move value, peak and time.
 * Answers pending pairs of edited rules that lack the sample they say they judged: they judged another metric.
 */
async function catchUp(sql: Sql, active: readonly ActivePair[]): Promise<ActivePair[]> {
  const stale = active.map(({ pair, latest, until }) => ({
    blockId: latest.blockId,
    slot: latest.slot,
    judgedAt: pair.judgedAt,
    until,
  }));
  const confirmed = new Set<ActivePair>();
  for (const sample of await readSamplesSince(sql, stale)) {
    const entry = active[sample.place];
    if (!entry?.pair.state) continue;
    const { state, rule } = entry.pair;
    if (sample.time === state.judgedAt && sample.value === state.value) confirmed.add(entry);
    if (sample.time <= state.judgedAt) continue;
    state.peakValue =
      state.state === 'pending' || rule.isWorse(sample.value, state.peakValue)
        ? sample.value
        : state.peakValue;
    state.value = sample.value;
    state.judgedAt = sample.time;
    entry.pair.judgedAt = sample.time;
  }
  return active.filter((entry) => entry.edited && !confirmed.has(entry));
}

/** Takes a pair's state out of its service, leaving the rule to begin anew; the answer is what is to be ended. */
function withdrawn(pair: Pair): Pair {
  const former = { ...pair };
  pair.state = null;
  pair.alert = null;
  pair.stored = false;
  pair.judgedAt = Number.NEGATIVE_INFINITY;
  return former;
}
