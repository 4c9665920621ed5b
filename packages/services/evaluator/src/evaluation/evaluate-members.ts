import type { Container, Payload, ProcessInfo, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { CONTAINER_UNHEALTHY, fieldOf, isPresence } from '@tidewatch/contracts/rules/rule-metric';
import { evaluateMissing, PAYLOADS_UNTIL_GONE } from '@tidewatch/domain/alerting/absence';
import type { Verdict } from '@tidewatch/domain/alerting/alert-instance-state';
import { summand } from '@tidewatch/domain/rollup/summand';
import type { AlertInstance } from '../memory/alert-instance.ts';
import { removeStream, streamOf } from '../memory/compile-streams.ts';
import type { EvaluatedService, MemberKind } from '../memory/evaluated-service.ts';
import type { Stream } from '../memory/stream.ts';
import { streamName } from '../memory/stream-name.ts';
import { applyVerdict } from './apply-verdict.ts';
import { evaluateSample, mustStop, type SampleEvaluation, WORK_OF_A_STEP } from './evaluate-sample.ts';
import type { MembersProgress } from './payload-progress.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Evaluates the containers of a payload, or its processes summed by name, from `progress` on. Returns false if it stopped
 * before the end. A payload that is older than the last one with containers (or processes) is skipped.
 */
export function evaluateMembers(
  evaluation: SampleEvaluation,
  request: SampleBatch,
  service: EvaluatedService,
  payload: Payload,
  kind: MemberKind,
  progress: MembersProgress,
): boolean {
  const metrics = evaluation.rules.metricsOf(service.organizationId, kind);
  const members = service.members[kind];
  const known = members.streams?.size ?? 0;
  if (metrics.length === 0 && known === 0) return true;
  if (payload.time < members.evaluatedAt) {
    evaluation.changes.lateInstances += known;
    return true;
  }
  // A payload that is delivered twice counts only once as a payload without a container or process.
  progress.isNewer ??= payload.time > members.evaluatedAt;
  members.evaluatedAt = payload.time;
  const present =
    kind === 'container' ? byName(payload.containers ?? []) : summedByName(payload.processes ?? []);
  let values = 0;
  for (const [name, fields] of present) {
    for (const metric of metrics) {
      const value = numberOf(fields, metric);
      if (value === null) continue;
      const subject = { kind, name };
      const existing = service.streams.get(streamName(subject, metric));
      if (existing === undefined && !evaluation.progress.isMatched) return false;
      const stream = existing ?? streamOf(service, evaluation.rules, subject, metric);
      if (stream === null) continue;
      values += 1;
      if (values <= progress.done) continue;
      stream.missed = 0;
      if (evaluateSample(evaluation, request, service, payload, stream, value)) continue;
      progress.done = values - 1;
      return false;
    }
  }
  progress.done = values;
  if (!progress.isNewer) return true;
  for (const stream of members.streams ?? []) {
    if (isPresence(stream.metric) || present.has(stream.subject.name) || progress.missed.has(stream))
      continue;
    if (mustStop(evaluation)) return false;
    if (miss(evaluation, service, stream, payload)) progress.missed.add(stream);
  }
  return true;
}

/**
 * Counts a payload without the container or process. Once the subject counts as gone, an alert instance ends and an idle
 * stream is removed. Returns whether the stream still exists.
 */
export function miss(
  evaluation: SampleEvaluation,
  service: EvaluatedService,
  base: Stream,
  payload: Payload,
): boolean {
  let isInactive = true;
  for (const stream of [base, ...base.derived]) {
    for (const instance of stream.instances) {
      const { state } = instance;
      if (state === null) continue;
      applyAbsence(evaluation, instance, evaluateMissing(state), payload);
      if (instance.phase !== null) isInactive = false;
    }
    stream.settle();
  }
  base.missed += 1;
  const { subject, key } = base;
  const isGone = isInactive && base.missed >= PAYLOADS_UNTIL_GONE;
  if (isGone) removeStream(service, streamName(subject, key), base);
  return !isGone;
}

/** Applies a verdict on a payload that lacks the part, container or process of an alert instance with a state. */
export function applyAbsence(
  evaluation: SampleEvaluation,
  instance: AlertInstance,
  verdict: Verdict,
  payload: Payload,
): void {
  evaluation.changes.work += verdict.transitions.length > 0 ? WORK_OF_A_STEP : 1;
  applyVerdict(evaluation, instance, verdict, {
    at: payload.time,
    value: instance.state?.value ?? null,
    payload,
    origin: evaluation.origin,
    backfilled: () => false,
    resolution: 'subject_gone',
  });
}

/** The number that a rule on this metric evaluates of a container or process; null where it does not say it. */
function numberOf(fields: Fields, metric: string): number | null {
  const value = fields[fieldOf(metric)];
  if (typeof value === 'number') return value;
  if (metric !== CONTAINER_UNHEALTHY || typeof fields.health !== 'string') return null;
  return fields.health === 'unhealthy' ? 1 : 0;
}

function byName(containers: readonly Container[]): Map<string, Fields> {
  return new Map(containers.map((container) => [container.name, container]));
}

/** The sums of all fields over the processes of each name, without fields that none of them has. */
function summedByName(processes: readonly ProcessInfo[]): Map<string, Fields> {
  const sums = new Map<string, { cpu_percent?: number; memory_rss?: number }>();
  for (const { name, cpu_percent: cpu, memory_rss: rss } of processes) {
    let sum = sums.get(name);
    if (!sum) {
      sum = {};
      sums.set(name, sum);
    }
    if (cpu !== undefined) sum.cpu_percent = (sum.cpu_percent ?? 0) + summand(cpu);
    if (rss !== undefined) sum.memory_rss = (sum.memory_rss ?? 0) + summand(rss);
  }
  return sums;
}
