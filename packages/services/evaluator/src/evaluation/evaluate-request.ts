import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { SILENT_MINUTES, subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import { WRONG_CLOCK_MS, wrongClockSeconds } from '@tidewatch/domain/alerting/clock-offset';
import { isSkewed, skewSeconds } from '@tidewatch/domain/alerting/skew';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import { streamOf } from '../memory/compile-streams.ts';
import type { EvaluatedService, MemberKind } from '../memory/evaluated-service.ts';
import type { Stream } from '../memory/stream.ts';
import type { MetricRules } from '../rules/metric-rules.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import { applyClockStep, continueClockStep } from './clock-step.ts';
import { evaluateMembers } from './evaluate-members.ts';
import { evaluateParts, followParts } from './evaluate-parts.ts';
import { evaluatePresence } from './evaluate-presence.ts';
import { evaluateSample, type SampleEvaluation } from './evaluate-sample.ts';

/** The inputs for evaluating all payloads of one ingest request. */
export interface RequestEvaluation extends SampleEvaluation {
  /** The service of each payload; null for a payload that is dropped. */
  services: readonly (EvaluatedService | null)[];
  /** The number of the request within this process. */
  request: number;
}

/** Result of evaluating a request. */
export interface EvaluatedRequest {
  /** Hosts of which every payload was evaluated. */
  received: EvaluatedService[];
  /** Indexes of the payloads that remain, in order of evaluation; empty if all are evaluated. */
  left: number[];
}

/** Where the evaluation of a request stands. */
interface RequestProgress {
  readonly received: EvaluatedService[];
  /** Order of the payloads by time; null where they are in order. */
  readonly order: Uint32Array | null;
  /** Position of the current payload in this order. */
  at: number;
  /** Whether the host of the current payload is matched with the rules of its metrics. */
  isMatched: boolean;
}

/**
 * Evaluates the payloads of one request in the order of their times, until `endAt` is reached. Returns a promise only if it has
 * to wait, since most requests do not.
 */
export function evaluateRequest(
  evaluation: RequestEvaluation,
  request: SampleBatch,
): EvaluatedRequest | Promise<EvaluatedRequest> {
  const progress = { received: [], order: timeOrder(request.payloads), at: 0, isMatched: false };
  const ended = proceed(evaluation, request, progress);
  return ended instanceof Promise ? proceedAfter(ended, evaluation, request, progress) : ended;
}

async function proceedAfter(
  wait: Promise<void>,
  evaluation: RequestEvaluation,
  request: SampleBatch,
  progress: RequestProgress,
): Promise<EvaluatedRequest> {
  for (let waiting = wait; ; ) {
    await waiting;
    const ended = proceed(evaluation, request, progress);
    if (!(ended instanceof Promise)) return ended;
    waiting = ended;
  }
}

/** Evaluates until the end of the request, or until it has to wait: it is called again once the returned promise resolves. */
function proceed(
  evaluation: RequestEvaluation,
  request: SampleBatch,
  progress: RequestProgress,
): EvaluatedRequest | Promise<void> {
  const { changes, turn } = evaluation;
  const { received, order } = progress;
  const { payloads } = request;
  while (progress.at < payloads.length) {
    const place = order === null ? progress.at : (order[progress.at] as number);
    const payload = payloads[place] as Payload;
    const service = evaluation.services[place] ?? null;
    if (service !== null) {
      receive(evaluation, service, payload, received);
      if (isAhead(service, payload.time, request.receivedAt)) changes.skewedPayloads += 1;
      else {
        if (service.metrics !== payload.metrics && !progress.isMatched) {
          progress.isMatched = true;
          const matching = matchMetrics(evaluation, service, payload.metrics);
          if (matching !== undefined) return matching;
        }
        const following = payload.parts && followParts(evaluation, service, payload.parts.shape);
        if (following !== undefined) return following;
        while (!evaluatePayload(evaluation, request, service, payload)) {
          if (changes.work >= evaluation.endAt)
            return end(evaluation, request, received, leftFrom(payloads, order, progress.at));
          if (turn.isOver) return turn.yieldWhenDue();
          return matchMembers(evaluation, service);
        }
      }
    }
    progress.at += 1;
    progress.isMatched = false;
    if (turn.isOver) return turn.yieldWhenDue();
  }
  return end(evaluation, request, received, []);
}

/** Records that a payload of the host is in the request. */
function receive(
  evaluation: RequestEvaluation,
  service: EvaluatedService,
  { time }: Payload,
  received: EvaluatedService[],
): void {
  if (service.request !== evaluation.request) {
    service.request = evaluation.request;
    service.newestInRequest = time;
    received.push(service);
  } else if (time > service.newestInRequest) {
    service.newestInRequest = time;
  }
}

/** Records the receipt of hosts without remaining payloads; the newest payload of a host shows its clock. */
function end(
  evaluation: RequestEvaluation,
  request: SampleBatch,
  received: EvaluatedService[],
  left: number[],
): EvaluatedRequest {
  const done = left.length === 0 ? received : withoutRemaining(evaluation, received, left);
  for (const service of done) noteRequest(evaluation, service, request.receivedAt);
  return { received: done, left };
}

function withoutRemaining(
  { services }: RequestEvaluation,
  received: readonly EvaluatedService[],
  left: readonly number[],
): EvaluatedService[] {
  const waiting = new Set(left.map((place) => services[place]));
  return received.filter((service) => !waiting.has(service));
}

function leftFrom(payloads: readonly Payload[], order: Uint32Array | null, from: number): number[] {
  const places = order === null ? [...payloads.keys()] : [...order];
  return places.slice(from);
}

/** Whether a sample is in the future by more than the host's clock is known to be ahead. */
function isAhead(service: EvaluatedService, time: number, receivedAt: number): boolean {
  return isSkewed(time, receivedAt) && isSkewed(time + service.offset.ms, receivedAt);
}

/** Returns the indexes of payloads sorted by time and stable for equal times; null if they are sorted already. */
function timeOrder(payloads: readonly Payload[]): Uint32Array | null {
  for (let i = 1; i < payloads.length; i += 1) {
    if ((payloads[i] as Payload).time < (payloads[i - 1] as Payload).time)
      return Uint32Array.from(payloads.keys()).sort(
        (a, b) => timeAt(payloads, a) - timeAt(payloads, b) || a - b,
      );
  }
  return null;
}

function timeAt(payloads: readonly Payload[], place: number): number {
  return (payloads[place] as Payload).time;
}

/** Updates clock offset and skew of the host from its newest sample in the request. */
function noteRequest(evaluation: RequestEvaluation, service: EvaluatedService, receivedAt: number): void {
  const { offset, newestInRequest } = service;
  const isEvaluated = !isAhead(service, newestInRequest, receivedAt);
  const before = offset.newest;
  const step = offset.observe(receivedAt, newestInRequest, isEvaluated);
  if (step < 0) applyClockStep(evaluation.changes, service, { newestBefore: before, movedByMs: step });
  else if (service.clockStep !== null) continueClockStep(evaluation.changes, service);
  service.lastSeen = receivedAt;
  const skew = skewOf(service, receivedAt - newestInRequest, receivedAt);
  if ((skew === null) !== (service.skewSeconds === null)) evaluation.changes.services.add(service);
  service.skewSeconds = skew;
}

/** Returns how many seconds the clock is ahead; null if it is right or unknown. */
function skewOf(service: EvaluatedService, difference: number, receivedAt: number): number | null {
  const ahead = skewSeconds(service.newestInRequest, receivedAt);
  // Computing the offset of the host's clock is expensive, so it is skipped when the difference is small.
  if (ahead !== null || Math.abs(difference) <= WRONG_CLOCK_MS) return ahead;
  return wrongClockSeconds(service.offset.ms);
}

const MEMBER_KINDS: readonly MemberKind[] = ['container', 'process'];

/** Matches the host with the rules of metrics that it has not sent before. Returns a promise only if there are any to match. */
function matchMetrics(
  { rules, turn }: RequestEvaluation,
  service: EvaluatedService,
  metrics: readonly string[],
): Promise<void> | undefined {
  const unmatched: MetricRules[] = [];
  for (const [place, metric] of metrics.entries()) {
    if (service.metrics[place] === metric) continue;
    const own = rules.forMetric(service.organizationId, metric);
    if (!own.isForAllHosts) unmatched.push(own);
  }
  return unmatched.length === 0 ? undefined : matchAll(unmatched, service, turn);
}

async function matchAll(rules: readonly MetricRules[], service: EvaluatedService, turn: Turn): Promise<void> {
  for (const own of rules) await own.match(service.host, service.tags, null, turn);
}

/** Matches the host with the rules of containers and processes, yielding to the event loop. */
async function matchMembers(
  { rules, turn, progress }: RequestEvaluation,
  service: EvaluatedService,
): Promise<void> {
  for (const kind of MEMBER_KINDS)
    for (const metric of rules.metricsOf(service.organizationId, kind))
      await rules.forMetric(service.organizationId, metric).match(service.host, service.tags, null, turn);
  progress.isMatched = true;
}

/** Evaluates a payload starting at its progress. Returns false if it stopped before the end. */
function evaluatePayload(
  evaluation: RequestEvaluation,
  request: SampleBatch,
  service: EvaluatedService,
  payload: Payload,
): boolean {
  const { metrics, values } = payload;
  if (service.metrics !== metrics) followMetrics(service, evaluation.rules, metrics);
  const { metricStreams } = service;
  const { progress } = evaluation;
  progress.follow(payload, service.generation);
  for (let place = progress.metrics; place < metrics.length; place += 1) {
    const stream = metricStreams[place] as Stream | null;
    if (
      stream === null ||
      evaluateSample(evaluation, request, service, payload, stream, values[place] as number)
    )
      continue;
    progress.metrics = place;
    return false;
  }
  progress.metrics = metrics.length;
  for (const kind of MEMBER_KINDS) {
    if (!(kind === 'container' ? payload.containers : payload.processes)) continue;
    if (!evaluateMembers(evaluation, request, service, payload, kind, progress.members[kind])) return false;
  }
  for (const kind of MEMBER_KINDS)
    if (!evaluatePresence(evaluation, request, service, payload, kind)) return false;
  return !payload.parts || evaluateParts(evaluation, request, service, payload, payload.parts.values);
}

function followMetrics(service: EvaluatedService, rules: RuleIndex, metrics: readonly string[]): void {
  const { metrics: before, metricStreams, subject } = service;
  for (const [place, metric] of metrics.entries()) {
    if (before[place] !== metric)
      metricStreams[place] = isReserved(metric) ? null : streamOf(service, rules, subject, metric);
  }
  service.metrics = metrics;
}

/**
 * Whether the name is reserved for metrics of containers or processes; a host's own metric of that name is stored and not
 * evaluated.
 */
function isReserved(name: string): boolean {
  return name === SILENT_MINUTES || subjectKindOf(name) !== 'host';
}
