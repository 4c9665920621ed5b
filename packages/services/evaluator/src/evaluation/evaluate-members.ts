import type { Container, Payload, ProcessInfo, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { fieldOf } from '@tidewatch/contracts/rules/rule-metric';
import { judgeMissing, PAYLOADS_UNTIL_GONE } from '@tidewatch/domain/alerting/absence';
import { removeStream, streamOf } from '../memory/compile-streams.ts';
import type { JudgedService, MemberKind } from '../memory/judged-service.ts';
import type { Stream } from '../memory/stream.ts';
import { streamName } from '../memory/stream-name.ts';
import { applyVerdict } from './apply-verdict.ts';
import { judgeSample, mustStop, type SampleJudging, WORK_OF_A_STEP } from './judge-sample.ts';
import type { MembersProgress } from './payload-progress.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Judges what a payload says of the host's containers, or of its processes summed by name, from where `progress` says;
 * false where it stopped before the end. A payload older than the last one that said anything of them is not judged.
 */
export function judgeMembers(
  judging: SampleJudging,
  request: SampleBatch,
  service: JudgedService,
  payload: Payload,
  kind: MemberKind,
  progress: MembersProgress,
): boolean {
  const metrics = judging.rules.metricsOf(service.organizationId, kind);
  const members = service.members[kind];
  const judged = members.streams?.size ?? 0;
  if (metrics.length === 0 && judged === 0) return true;
  if (payload.time < members.judgedAt) {
    judging.changes.latePairs += judged;
    return true;
  }
  // A payload that is sent again tells nothing new of what it lacks.
  progress.isNewer ??= payload.time > members.judgedAt;
  members.judgedAt = payload.time;
  const present =
    kind === 'container' ? byName(payload.containers ?? []) : summedByName(payload.processes ?? []);
  let values = 0;
  for (const [name, fields] of present) {
    for (const metric of metrics) {
      const value = fields[fieldOf(metric)];
      if (typeof value !== 'number') continue;
      const subject = { kind, name };
      const known = service.streams.get(streamName(subject, metric));
      if (known === undefined && !judging.progress.isMatched) return false;
      const stream = known ?? streamOf(service, judging.rules, subject, metric);
      if (stream === null) continue;
      values += 1;
      if (values <= progress.done) continue;
      stream.missed = 0;
      if (judgeSample(judging, request, service, payload, stream, value)) continue;
      progress.done = values - 1;
      return false;
    }
  }
  progress.done = values;
  if (!progress.isNewer) return true;
  for (const stream of members.streams ?? []) {
    if (present.has(stream.subject.name) || progress.missed.has(stream)) continue;
    if (mustStop(judging)) return false;
    if (miss(judging, service, stream, payload)) progress.missed.add(stream);
  }
  return true;
}

/**
 * A stream that is at rest is forgotten once its container or process counts as gone; a pair ends. Answers whether the
 * stream is still there.
 */
function miss(judging: SampleJudging, service: JudgedService, base: Stream, payload: Payload): boolean {
  let rests = true;
  for (const stream of [base, ...base.derived]) {
    for (const pair of stream.pairs) {
      const { state } = pair;
      if (state === null) continue;
      const verdict = judgeMissing(state);
      judging.changes.work += verdict.transitions.length > 0 ? WORK_OF_A_STEP : 1;
      applyVerdict(judging, pair, verdict, {
        at: payload.time,
        value: state.value,
        payload,
        origin: judging.origin,
        backfilled: () => false,
        resolution: 'subject_gone',
      });
      if (pair.phase !== null) rests = false;
    }
    stream.settle();
  }
  base.missed += 1;
  const { subject, key } = base;
  const isGone = rests && base.missed >= PAYLOADS_UNTIL_GONE;
  if (isGone) removeStream(service, streamName(subject, key), base);
  return !isGone;
}

function byName(containers: readonly Container[]): Map<string, Fields> {
  return new Map(containers.map((container) => [container.name, container]));
}

/** The sums over all processes of one name; a field that none of them has is left out. */
function summedByName(processes: readonly ProcessInfo[]): Map<string, Fields> {
  const sums = new Map<string, { cpu_percent?: number; memory_rss?: number }>();
  for (const { name, cpu_percent: cpu, memory_rss: rss } of processes) {
    let sum = sums.get(name);
    if (!sum) {
      sum = {};
      sums.set(name, sum);
    }
    if (cpu !== undefined) sum.cpu_percent = (sum.cpu_percent ?? 0) + cpu;
    if (rss !== undefined) sum.memory_rss = (sum.memory_rss ?? 0) + rss;
  }
  return sums;
}
