import { PART_GONE_MS } from '@tidewatch/domain/alerting/absence';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { Window } from '@tidewatch/domain/alerting/window';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { ServiceHealthRow } from '@tidewatch/store/health/read';
import type { EndedAlert } from '@tidewatch/store/rule-states/ended';
import type { StoredFlaps } from '@tidewatch/store/rule-states/flaps';
import type { StatesOfService, StoredState } from '@tidewatch/store/rule-states/read';
import type { MetricLatest } from '@tidewatch/store/rule-states/restore';
import { sameTerms, termsOf } from '../../rules/alert-terms.ts';
import { NO_METRIC_RULES } from '../../rules/metric-rules.ts';
import type { RuleIndex } from '../../rules/rule-index.ts';
import { AlertInstance } from '../alert-instance.ts';
import { addStream, compileStreams } from '../compile-streams.ts';
import type { EvaluatedService } from '../evaluated-service.ts';
import { flapKey } from '../monitored-host.ts';
import { alignFlaps } from '../shift-times.ts';
import { Stream, type StreamIdentity } from '../stream.ts';
import { containerMetric, loadedKey, metricOfKey, streamName } from '../stream-name.ts';

const NEVER = Number.NEGATIVE_INFINITY;

/** The stored data of one host. Times are ms. */
export interface StoredService {
  row: ServiceHealthRow;
  latest: readonly MetricLatest[];
  /** Time of the last payload of the host with processes. */
  newestProcesses: number;
  flaps: readonly StoredFlaps[];
  states: StatesOfService | null;
  endings: readonly EndedAlert[];
}

/** The inputs for restoring hosts. */
export interface Restoring {
  rules: RuleIndex;
  /** Deleted and disabled rules that stored states still refer to. */
  gone: ReadonlyMap<string, AlertInstance['rule']>;
  turn: Turn;
  /** Server clock, ms. */
  now: number;
  /** The newest sample time that may count as evaluated, ms. */
  until: number;
  /** Whether every stored sample of the host counts as evaluated. */
  isComplete: boolean;
}

/**
 * Creates the streams and alert instances of a host from the store, updated to the present rules, yielding to the event
 * loop. Returns the latest stored values, and the alert instances that no rule wants any more.
 */
export async function restoreService(
  service: EvaluatedService,
  restoring: Restoring,
  stored: StoredService,
): Promise<{ metrics: Map<string, MetricLatest>; dropped: AlertInstance[] }> {
  const { rules, turn, isComplete } = restoring;
  const metrics = new Map<string, MetricLatest>();
  // The labels of their parts are among the latest values.
  service.parts.kindsToLoad(rules.labelledKindsOf(service.organizationId));
  const partsGoneAt = newestOfParts(stored.latest) - PART_GONE_MS;
  for (const metric of stored.latest) {
    const identity = identityOf(metric);
    metrics.set(streamName(identity.subject, identity.metric), metric);
    // Leaves out samples that the writer stored ahead of the evaluator, which are not evaluated yet.
    const newest = isComplete ? (metric.latestAt ?? NEVER) : NEVER;
    if (metric.labels !== null) service.parts.labelFromStore(metric.subjectName, metric.labels);
    if (identity.subject.kind === 'container')
      service.members.container.evaluatedAt = Math.max(service.members.container.evaluatedAt, newest);
    const isGone = identity.subject.kind === 'part' && (metric.latestAt ?? NEVER) <= partsGoneAt;
    if (!isGone && rules.forMetric(service.organizationId, identity.metric) !== NO_METRIC_RULES)
      streamFor(service, identity, stored.row.intervalSeconds, newest);
    if (turn.isOver) await turn.yieldWhenDue();
  }
  if (isComplete) service.members.process.evaluatedAt = stored.newestProcesses;
  for (const { ruleId, subject, log } of stored.flaps) service.flaps.set(flapKey(ruleId, subject), log);
  if (stored.row.clockStep !== null) alignFlaps(service, stored.row.clockStep);
  await restoreInstances(service, restoring, stored);
  continueClock(service, stored, isComplete);
  const ended = await restoreEnded(service, restoring, stored);
  const dropped = await compileStreams(service, rules, turn, ({ subject, metric }, ruleId) =>
    Math.max(
      isComplete ? evaluatedBefore(rules, ruleId, metrics.get(streamName(subject, metric))) : NEVER,
      ended.get(flapKey(ruleId, subject)) ?? NEVER,
    ),
  );
  return { metrics, dropped };
}

/** Returns the time of the newest sample of the host's parts, ms; -Infinity without one. */
function newestOfParts(latest: readonly MetricLatest[]): number {
  let newest = NEVER;
  for (const { subjectKind, latestAt, blockLatestAt } of latest)
    if (subjectKind === 'part') newest = Math.max(newest, latestAt ?? NEVER, blockLatestAt ?? NEVER);
  return newest;
}

async function restoreInstances(
  service: EvaluatedService,
  { rules, gone, turn }: Restoring,
  { states, row }: StoredService,
): Promise<void> {
  const instances = new Map<Stream, AlertInstance[]>();
  for (const portion of states?.portions() ?? []) {
    for (const state of portion) {
      const rule = rules.get(state.ruleId)?.compiled ?? gone.get(state.ruleId);
      if (!rule) continue;
      const identity = identityOfState(service, state, rule);
      const stream = streamFor(service, identity, row.intervalSeconds, NEVER, windowOf(rule, identity));
      const own = instances.get(stream) ?? [...stream.instances];
      own.push(instanceOf(stream, rule, state));
      instances.set(stream, own);
    }
    if (turn.isOver) await turn.yieldWhenDue();
  }
  for (const [stream, own] of instances) stream.instances = own;
}

/** Continues from the newest evaluated time, so that a clock that is set back shows as late requests after a restart too. */
function continueClock(service: EvaluatedService, { row, latest }: StoredService, isComplete: boolean): void {
  let newest = row.clockStep?.evaluatedUntil ?? NEVER;
  if (isComplete) for (const { latestAt } of latest) newest = Math.max(newest, latestAt ?? NEVER);
  for (const { instances } of service.streams.values())
    for (const { evaluatedAt } of instances) newest = Math.max(newest, evaluatedAt);
  service.offset.continueFrom(newest);
}

/** Reads when alerts of the host ended last, by rule and subject, and creates their streams. */
async function restoreEnded(
  service: EvaluatedService,
  { rules, now, until, turn }: Restoring,
  { endings, row }: StoredService,
): Promise<Map<string, number>> {
  const ended = new Map<string, number>();
  for (const { ruleId, subjectKind, subjectName, resolvedAt } of endings) {
    const rule = rules.get(ruleId)?.compiled;
    if (rule === undefined || resolvedAt > now + MAX_SKEW_MS) continue;
    const subject = { kind: subjectKind, name: subjectName };
    ended.set(flapKey(ruleId, subject), Math.min(resolvedAt, until));
    const identity = { subject, metric: rule.metric, key: rule.streamKey };
    streamFor(service, identity, row.intervalSeconds, NEVER, windowOf(rule, identity));
    if (turn.isOver) await turn.yieldWhenDue();
  }
  return ended;
}

function identityOf({ subjectKind, subjectName, metric }: MetricLatest): StreamIdentity {
  const name = subjectKind === 'container' ? containerMetric(metric) : metric;
  return { subject: { kind: subjectKind, name: subjectName }, metric: name, key: name };
}

/** Returns the stream of a stored state. Rows of older versions have no stream; then the alert's metric is used. */
function identityOfState(
  service: EvaluatedService,
  { subjectKind, subjectName, stream, alert }: StoredState,
  rule: AlertInstance['rule'],
): StreamIdentity {
  const subject = subjectKind === 'host' ? service.subject : { kind: subjectKind, name: subjectName };
  const key = stream === null ? (alert?.metric ?? rule.metric) : loadedKey(stream);
  return { subject, metric: metricOfKey(key), key };
}

/**
 * The window of a stored state, if the state belongs to the rule's present transform; a state of another transform ends.
 */
function windowOf(rule: AlertInstance['rule'], { key }: StreamIdentity): Window | null {
  return rule.transform !== null && rule.streamKey === key ? new Window(rule.transform, rule.metric) : null;
}

function streamFor(
  service: EvaluatedService,
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

function instanceOf(stream: Stream, rule: AlertInstance['rule'], stored: StoredState): AlertInstance {
  const { alertId, alert, opened, state, pendingSince, clearSince, evaluatedAt, value, peakValue } = stored;
  const { flapCount, firedAt, valueAtFire, levels, missed } = stored;
  const own = termsOf(rule, alert?.severity ?? rule.levels[0].severity);
  const terms = alert ? { ...alert, version: alert.ruleVersion } : own;
  const instance = new AlertInstance(stream, rule, evaluatedAt);
  instance.stored = true;
  instance.state = {
    state,
    pendingSince,
    clearSince,
    evaluatedAt,
    value,
    peakValue,
    flapCount,
    firedAt,
    valueAtFire,
    severity: terms.severity,
    levels,
    noData: alert?.noData ?? false,
    missed,
  };
  instance.opened = opened;
  if (alertId === null) return instance;
  const { severity, version, condition, threshold, thresholdMax } = terms;
  instance.alertId = alertId;
  instance.terms = sameTerms(own, terms) ? own : { version, severity, condition, threshold, thresholdMax };
  instance.shadow = alert?.shadow ?? false;
  instance.unconfirmed = alert?.unconfirmed ?? false;
  return instance;
}

/** Returns the time of the metric's newest sample, unless that sample arrived before the rule existed. */
function evaluatedBefore(rules: RuleIndex, ruleId: string, latest: MetricLatest | undefined): number {
  const rule = rules.get(ruleId);
  if (!rule?.evaluated || latest?.latestAt == null) return NEVER;
  if (latest.appliedAt !== null && latest.appliedAt < rule.createdAt) return NEVER;
  return latest.latestAt;
}
