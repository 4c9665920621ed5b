import type { Container, Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { PRESENCE_METRICS } from '@tidewatch/contracts/rules/rule-metric';
import { evaluateGone, PART_GONE_MS, PAYLOADS_UNTIL_GONE } from '@tidewatch/domain/alerting/absence';
import { memberNamed, partOf, removeStream, rulesOf, streamOf } from '../memory/compile-streams.ts';
import type { EvaluatedService, MemberKind } from '../memory/evaluated-service.ts';
import type { Stream } from '../memory/stream.ts';
import { streamName } from '../memory/stream-name.ts';
import type { MetricRules } from '../rules/metric-rules.ts';
import { applyAbsence, miss } from './evaluate-members.ts';
import { evaluateSample, mustStop, type SampleEvaluation } from './evaluate-sample.ts';

/**
 * Evaluates rules on whether containers run, or how many processes of a name do, from the progress of `evaluation` on. What a rule
 * names and the payload does not have counts 0, as does a process that was there before. Returns false if it stopped before
 * the end.
 */
export function evaluatePresence(
  evaluation: SampleEvaluation,
  request: SampleBatch,
  service: EvaluatedService,
  payload: Payload,
  kind: MemberKind,
): boolean {
  if (!(kind === 'container' ? payload.containers : (payload.processCounts ?? payload.processes)))
    return true;
  const metric = PRESENCE_METRICS[kind];
  const own = evaluation.rules.forMetric(service.organizationId, metric);
  const members = service.members[kind];
  if (own.rules.length === 0 && members.streams === null) return true;
  const reported = kind === 'container' ? runningOf(payload.containers) : countsOf(payload);
  if (reported === null || payload.time < members.presenceAt) return true;
  const progress = evaluation.progress.members[kind];
  progress.countsAreNewer ??= payload.time > members.presenceAt;
  members.presenceAt = payload.time;
  const expected = expectedOn(service, own, kind);
  const absent = absentStreams(members.streams, metric, reported, expected);
  const values = new Map(reported);
  for (const name of expected) if (!reported.has(name)) values.set(name, 0);
  // A container that is removed or renamed is gone; of a process nothing else could be said.
  if (kind === 'process') for (const { subject } of absent) values.set(subject.name, 0);
  let place = 0;
  for (const [name, value] of values) {
    place += 1;
    if (place <= progress.counted) continue;
    const subject = { kind, name };
    if (!own.mayEvaluate(name)) continue;
    const known = service.streams.get(streamName(subject, metric));
    const stream = known ?? wantedStream(evaluation, service, { subject, metric });
    if (stream !== null) {
      if (!evaluateSample(evaluation, request, service, payload, stream, value)) return false;
      if (reported.has(name) || expected.includes(name)) stream.missed = 0;
      else if (progress.countsAreNewer) release(evaluation, service, stream, payload);
    }
    progress.counted = place;
  }
  if (kind === 'process' || !progress.countsAreNewer) return true;
  for (const stream of absent) {
    if (progress.missed.has(stream)) continue;
    if (mustStop(evaluation)) return false;
    if (miss(evaluation, service, stream, payload)) progress.missed.add(stream);
  }
  return true;
}

/** The streams of what is not in the payload, and not expected by a rule. */
function absentStreams(
  streams: ReadonlySet<Stream> | null,
  metric: string,
  reported: ReadonlyMap<string, number>,
  expected: readonly string[],
): Stream[] {
  const absent: Stream[] = [];
  for (const stream of streams ?? []) {
    const { name } = stream.subject;
    if (stream.metric === metric && !reported.has(name) && !expected.includes(name)) absent.push(stream);
  }
  return absent;
}

/** The names that rules expect on this host, looked up once for the present rules and tags. */
function expectedOn(service: EvaluatedService, own: MetricRules, kind: MemberKind): readonly string[] {
  const members = service.members[kind];
  members.expected ??= own.expected.filter((name) =>
    own.matching(service.host, service.tags, memberNamed(name)).some((rule) => rule.expected.includes(name)),
  );
  return members.expected;
}

/** The stream of a subject, if a rule wants one; a look-up that fails makes none, since most names have no rule. */
function wantedStream(
  { rules }: SampleEvaluation,
  service: EvaluatedService,
  identity: { subject: { kind: MemberKind; name: string }; metric: string },
): Stream | null {
  const { subject, metric } = identity;
  const stream = { ...identity, key: metric };
  const part = partOf(service, rules, stream);
  const { derived } = rules.forMetric(service.organizationId, metric);
  if (derived.size === 0 && rulesOf(service, rules, stream, part).rules.length === 0) return null;
  return streamOf(service, rules, subject, metric);
}

/** Ends what is away: streams without an alert after some payloads, and alerts a day after it went. */
function release(
  evaluation: SampleEvaluation,
  service: EvaluatedService,
  base: Stream,
  payload: Payload,
): void {
  base.missed += 1;
  let isInactive = true;
  for (const stream of [base, ...base.derived]) {
    for (const instance of stream.instances) {
      const { state } = instance;
      if (state === null) continue;
      if (payload.time - state.pendingSince < PART_GONE_MS) {
        isInactive = false;
        continue;
      }
      applyAbsence(evaluation, instance, evaluateGone(state), payload);
    }
    stream.settle();
  }
  if (isInactive && base.missed >= PAYLOADS_UNTIL_GONE)
    removeStream(service, streamName(base.subject, base.key), base);
}

/** Whether each container runs, 1 or 0; without those of which the payload does not say it. Null without containers. */
function runningOf(containers: readonly Container[] | undefined): Map<string, number> | null {
  if (containers === undefined) return null;
  const running = new Map<string, number>();
  for (const { name, running: given, status } of containers) {
    if (typeof given === 'number') running.set(name, given);
    else if (status !== undefined) running.set(name, status === 'running' ? 1 : 0);
  }
  return running;
}

/** How many processes of each name run: as counted by the sender, else of its list. Null without both. */
function countsOf({ processCounts, processes }: Payload): Map<string, number> | null {
  if (processCounts !== undefined) {
    const { names, counts } = processCounts;
    return new Map(names.map((name, index) => [name, counts[index] as number]));
  }
  if (processes === undefined) return null;
  const counts = new Map<string, number>();
  for (const { name } of processes) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
