import type { SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { ClockOffset, WRONG_CLOCK_MS } from '@tidewatch/domain/alerting/clock-offset';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { Window } from '@tidewatch/domain/alerting/window';
import type { StatusReason } from '@tidewatch/domain/health/status';
import type { Sql } from '@tidewatch/store/connection';
import { readServiceHealth, type ServiceHealthRow } from '@tidewatch/store/health/read';
import { readEndedAlerts } from '@tidewatch/store/rule-states/ended';
import { readFlaps } from '@tidewatch/store/rule-states/flaps';
import { readNewestProcesses } from '@tidewatch/store/rule-states/processes';
import { readStates, type ServiceKey, type StoredState } from '@tidewatch/store/rule-states/read';
import { type MetricLatest, readMetricLatest } from '@tidewatch/store/rule-states/restore';
import { sameTerms, termsOf } from '../judging/alert-terms.ts';
import { NO_METRIC_RULES } from '../rules/metric-rules.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import type { ActiveRows } from './active-rows.ts';
import { catchUp, type RestoredService, rebuildWindows } from './catch-up.ts';
import { addStream, compileStreams } from './compile-streams.ts';
import { findWithEndingStates } from './ending-states.ts';
import { flapKey, type JudgedService } from './judged-service.ts';
import { Pair } from './pair.ts';
import { rebuildProcesses } from './rebuild-processes.ts';
import { alignWithClock, newestOnClock } from './shift-times.ts';
import { Stream, type StreamIdentity } from './stream.ts';
import { containerMetric, loadedKey, metricOfKey, streamName } from './stream-name.ts';
import type { WriterPosition } from './writer-position.ts';

const NEVER = Number.NEGATIVE_INFINITY;
/** Whatever is sent again was sent first within this. */
const ENDED_WITHIN_MS = 86_400_000;

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
  /** Where active pairs are remembered. */
  rows: ActiveRows;
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
  { rows: memory, now, withDeleted = false, onlyToReconcile = false, writerPosition }: LoadOptions,
): Promise<LoadedServices> {
  const found = await readServiceHealth(sql, keys);
  let rows = found.filter((row) => withDeleted || !row.deleted);
  if (onlyToReconcile) rows = await worthLoading(sql, rows, rules, await writerPosition(), now);
  const ids = rows.map((row) => row.serviceId);
  const loaded: LoadedServices = { services: [], deleted: new Set(), dropped: [] };
  for (const row of found) if (row.deleted) loaded.deleted.add(row.serviceId);
  if (ids.length === 0) return loaded;
  const spanOf = (row: ServiceHealthRow) => ({ ...keyOfRow(row), until: newestOnClock(row, now) });
  const withProcesses = rows.filter((row) => rules.metricsOf(row.organizationId, 'process').length > 0);
  const [states, flaps, latest, processes, endings] = await Promise.all([
    readStates(sql, rows.map(keyOfRow)),
    readFlaps(sql, ids),
    readMetricLatest(sql, rows.map(spanOf)),
    readNewestProcesses(sql, withProcesses.map(spanOf)),
    readEndedAlerts(sql, rows.map(keyOfRow), now - ENDED_WITHIN_MS),
  ]);
  const position = await writerPosition();
  const unknown = new Set<string>();
  for (const { ruleIds } of states.values()) for (const id of ruleIds) if (!rules.get(id)) unknown.add(id);
  const gone = await rules.readEnded(sql, [...unknown]);
  const flapsOf = Map.groupBy(flaps, (each) => each.serviceId);
  const endingsOf = Map.groupBy(endings, (each) => each.serviceId);
  const latestOf = Map.groupBy(latest, (metric) => metric.serviceId);
  const restored: RestoredService[] = [];
  for (const row of rows) {
    const service = serviceOf(row, memory);
    const until = newestOnClock(row, now);
    const judged = Math.min(until, position.judgedUntil(row));
    const isComplete = judged === until;
    const metrics = new Map<string, MetricLatest>();
    for (const metric of latestOf.get(row.serviceId) ?? []) {
      const identity = identityOf(metric);
      metrics.set(streamName(identity.subject, identity.metric), metric);
      // Times of samples that the writer stored ahead of us say nothing of what was judged.
      const newest = isComplete ? (metric.latestAt ?? NEVER) : NEVER;
      if (identity.subject.kind === 'container')
        service.members.container.judgedAt = Math.max(service.members.container.judgedAt, newest);
      if (rules.forMetric(service.organizationId, identity.metric) !== NO_METRIC_RULES)
        streamFor(service, identity, row.intervalSeconds, newest);
    }
    if (isComplete) service.members.process.judgedAt = processes.get(row.serviceId) ?? NEVER;
    for (const { ruleId, subject, log } of flapsOf.get(row.serviceId) ?? [])
      service.flaps.set(flapKey(ruleId, subject), log);
    const pairs = new Map<Stream, Pair[]>();
    for (const state of states.get(row.serviceId)?.all() ?? []) {
      const rule = rules.get(state.ruleId)?.compiled ?? gone.get(state.ruleId);
      if (!rule) continue;
      const identity = identityOfState(service, state, rule);
      const stream = streamFor(service, identity, row.intervalSeconds, NEVER, windowOf(rule, identity));
      const own = pairs.get(stream) ?? [...stream.pairs];
      own.push(pairOf(stream, rule, state));
      pairs.set(stream, own);
    }
    for (const [stream, own] of pairs) stream.pairs = own;
    // Before samples are read: windows are filled with what is on the clock as it is now.
    alignWithClock(service, row, [...pairs.values()].flat());
    const ended = new Map<string, number>();
    for (const { ruleId, subjectKind, subjectName, resolvedAt } of endingsOf.get(row.serviceId) ?? []) {
      const rule = rules.get(ruleId)?.compiled;
      if (rule === undefined || resolvedAt > now + MAX_SKEW_MS) continue;
      const subject = { kind: subjectKind, name: subjectName };
      ended.set(flapKey(ruleId, subject), Math.min(resolvedAt, until));
      const identity = { subject, metric: rule.metric, key: rule.streamKey };
      streamFor(service, identity, row.intervalSeconds, NEVER, windowOf(rule, identity));
    }
    const dropped = compileStreams(service, rules, ({ subject, metric }, ruleId) =>
      Math.max(
        isComplete ? judgedBefore(rules, ruleId, metrics.get(streamName(subject, metric))) : NEVER,
        ended.get(flapKey(ruleId, subject)) ?? NEVER,
      ),
    );
    loaded.dropped.push(...dropped);
    if (onlyToReconcile && !isComplete && dropped.length === 0 && row.archivedAt === null) {
      for (const { pairs } of service.streams.values()) for (const pair of pairs) pair.forget();
      continue;
    }
    loaded.services.push(service);
    restored.push({ service, metrics, judged });
  }
  await catchUp(sql, restored);
  await rebuildWindows(sql, restored);
  await rebuildProcesses(sql, rules, restored);
  return loaded;
}

/** Without those of which it is not known how far they were judged, and of which nothing ends. */
async function worthLoading(
  sql: Sql,
  rows: readonly ServiceHealthRow[],
  rules: RuleIndex,
  position: WriterPosition,
  now: number,
): Promise<ServiceHealthRow[]> {
  // Of an archived service all that is active ends.
  const unknown = rows.filter(
    (row) => row.archivedAt === null && position.judgedUntil(row) < newestOnClock(row, now),
  );
  if (unknown.length === 0) return [...rows];
  const ending = await findWithEndingStates(sql, unknown, rules);
  const left = new Set(unknown.filter(({ serviceId }) => !ending.has(serviceId)));
  return rows.filter((row) => !left.has(row));
}

/** A service that was created in the transaction under way: nothing of it is stored yet. */
export function newService(
  organizationId: string,
  serviceId: string,
  host: string,
  now: number,
  rows: ActiveRows,
): JudgedService {
  const row: ServiceHealthRow = {
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
    archivedAt: null,
    deleted: false,
  };
  return serviceOf(row, rows);
}

function serviceOf(row: ServiceHealthRow, rows: ActiveRows): JudgedService {
  return {
    organizationId: row.organizationId,
    serviceId: row.serviceId,
    host: row.host,
    subject: { kind: 'host', name: row.host },
    tags: row.tags,
    generation: -1,
    streams: new Map(),
    rows,
    flaps: new Map(),
    members: {
      container: { judgedAt: NEVER, streams: null },
      process: { judgedAt: NEVER, streams: null },
    },
    metrics: [],
    judged: [],
    offset: new ClockOffset((row.clockOffsetSeconds ?? 0) * 1_000),
    watched: null,
    clockSetBackTo: null,
    skewSeconds:
      row.clockSkewSeconds !== null && Math.abs(row.clockSkewSeconds) * 1_000 > WRONG_CLOCK_MS
        ? row.clockSkewSeconds
        : null,
    offline: (row.reasons as StatusReason[]).some(({ code }) => code === 'silent'),
    archivedAt: row.archivedAt,
    lastSeen: row.lastSeen,
    health: { status: row.status, reasons: row.reasons, since: row.statusSince, counts: '' },
    request: -1,
    newestInRequest: 0,
  };
}

function keyOfRow({ organizationId, serviceId }: ServiceHealthRow): ServiceKey {
  return { org: organizationId, id: serviceId };
}

function identityOf({ subjectKind, subjectName, metric }: MetricLatest): StreamIdentity {
  const name = subjectKind === 'container' ? containerMetric(metric) : metric;
  return { subject: { kind: subjectKind, name: subjectName }, metric: name, key: name };
}

/** What a stored state is of; rows of older versions name no stream, and the alert's metric is the next best. */
function identityOfState(
  service: JudgedService,
  { subjectKind, subjectName, stream, alert }: StoredState,
  rule: Pair['rule'],
): StreamIdentity {
  const subject = subjectKind === 'host' ? service.subject : { kind: subjectKind, name: subjectName };
  const key = stream === null ? (alert?.metric ?? rule.metric) : loadedKey(stream);
  return { subject, metric: metricOfKey(key), key };
}

/** A state of what the rule derives now; of anything else it only ends. */
function windowOf(rule: Pair['rule'], { key }: StreamIdentity): Window | null {
  return rule.transform !== null && rule.streamKey === key ? new Window(rule.transform, rule.metric) : null;
}

function streamFor(
  service: JudgedService,
  identity: StreamIdentity,
  intervalSeconds: number | null,
  newest: number,
  window: Window | null = null,
): Stream {
  const known = service.streams.get(streamName(identity.subject, identity.key));
  if (known) return known;
  const subject = identity.subject.kind === 'host' ? service.subject : identity.subject;
  const usualIntervalMs = (intervalSeconds ?? 0) * 1_000;
  const stream = new Stream(service, { ...identity, subject }, usualIntervalMs, newest, window);
  addStream(service, stream);
  return stream;
}

function pairOf(stream: Stream, rule: Pair['rule'], stored: StoredState): Pair {
  const { alertId, alert, opened, state, pendingSince, clearSince, judgedAt, value, peakValue } = stored;
  const { flapCount, firedAt, valueAtFire, levels, missed } = stored;
  const own = termsOf(rule, alert?.severity ?? rule.levels[0].severity);
  const terms = alert ? { ...alert, version: alert.ruleVersion } : own;
  const pair = new Pair(stream, rule, judgedAt);
  pair.stored = true;
  pair.state = {
    ...{ state, pendingSince, clearSince, judgedAt, value, peakValue, flapCount, firedAt },
    ...{ valueAtFire, severity: terms.severity, levels, noData: alert?.noData ?? false, missed },
  };
  pair.opened = opened;
  if (alertId === null) return pair;
  const { severity, version, condition, threshold, thresholdMax } = terms;
  pair.alertId = alertId;
  pair.terms = sameTerms(own, terms) ? own : { version, severity, condition, threshold, thresholdMax };
  pair.shadow = alert?.shadow ?? false;
  pair.unconfirmed = alert?.unconfirmed ?? false;
  return pair;
}

/** The newest sample of the metric, unless it arrived before the rule began to judge. */
function judgedBefore(rules: RuleIndex, ruleId: string, latest: MetricLatest | undefined): number {
  const rule = rules.get(ruleId);
  if (!rule?.evaluated || latest?.latestAt == null) return NEVER;
  if (latest.appliedAt !== null && latest.appliedAt < rule.createdAt) return NEVER;
  return latest.latestAt;
}
