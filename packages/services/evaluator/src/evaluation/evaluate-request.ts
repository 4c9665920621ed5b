import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { SILENT_MINUTES, subjectKindOf } from '@tidewatch/contracts/rules/rule-metric';
import { WRONG_CLOCK_MS, wrongClockSeconds } from '@tidewatch/domain/alerting/clock-offset';
import { isSkewed, skewSeconds } from '@tidewatch/domain/alerting/skew';
import { streamOf } from '../memory/compile-streams.ts';
import type { JudgedService, MemberKind } from '../memory/judged-service.ts';
import { shiftTimes } from '../memory/shift-times.ts';
import type { Stream } from '../memory/stream.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import { judgeMembers } from './judge-members.ts';
import { judgeSample, type SampleJudging } from './judge-sample.ts';

/** One request on its way through the rules. */
export interface RequestJudging extends SampleJudging {
  /** The service of each payload, null where it is dropped. */
  services: readonly (JudgedService | null)[];
  /** Grows with every request. */
  request: number;
}

/** What became of a request. */
export interface JudgedRequest {
  /** The services that it heard from and that nothing is left of. */
  heard: JudgedService[];
  /** The places of the payloads that are left, in the order in which they are judged; none where all are judged. */
  left: number[];
}

/** Judges the payloads of one request in time order, until `endAt` is reached. */
export async function judgeRequest(judging: RequestJudging, request: SampleBatch): Promise<JudgedRequest> {
  const { changes, turn } = judging;
  const heard: JudgedService[] = [];
  const { payloads } = request;
  const order = timeOrder(payloads);
  for (let i = 0; i < payloads.length; i += 1) {
    const place = order === null ? i : (order[i] as number);
    const payload = payloads[place] as Payload;
    const service = judging.services[place] ?? null;
    if (service === null) continue;
    if (service.request !== judging.request) {
      service.request = judging.request;
      service.newestInRequest = payload.time;
      heard.push(service);
    } else if (payload.time > service.newestInRequest) {
      service.newestInRequest = payload.time;
    }
    if (isAhead(service, payload.time, request.receivedAt)) changes.skewedPayloads += 1;
    else {
      if (service.metrics !== payload.metrics) await matchMetrics(judging, service, payload.metrics);
      while (!judgePayload(judging, request, service, payload)) {
        if (changes.work >= judging.endAt) return end(judging, request, heard, leftFrom(payloads, order, i));
        if (turn.isOver) await turn.give();
        else await matchMembers(judging, service);
      }
    }
    if (turn.isOver) await turn.give();
  }
  return end(judging, request, heard, []);
}

/** A host of which payloads are left is heard once they are judged: the newest tells its clock. */
function end(
  judging: RequestJudging,
  request: SampleBatch,
  heard: readonly JudgedService[],
  left: number[],
): JudgedRequest {
  const waiting = new Set(left.map((place) => judging.services[place]));
  const done = waiting.size === 0 ? [...heard] : heard.filter((service) => !waiting.has(service));
  for (const service of done) noteRequest(judging, service, request.receivedAt);
  return { heard: done, left };
}

function leftFrom(payloads: readonly Payload[], order: Uint32Array | null, from: number): number[] {
  const places = order === null ? [...payloads.keys()] : [...order];
  return places.slice(from);
}

/** Whether a sample lies in the future, and the host's clock is not known to be ahead by as much. */
function isAhead(service: JudgedService, time: number, receivedAt: number): boolean {
  return isSkewed(time, receivedAt) && isSkewed(time + service.offset.ms, receivedAt);
}

/** The places of payloads by time, those of equal time as they came; null where that is the order they stand in. */
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

/** Clock offset and skew are the host's as of its newest sample in a request. */
function noteRequest(judging: RequestJudging, service: JudgedService, receivedAt: number): void {
  const { offset, newestInRequest } = service;
  const isEvaluated = !isAhead(service, newestInRequest, receivedAt);
  const step = offset.observe(receivedAt, newestInRequest, isEvaluated);
  if (step < 0) {
    shiftTimes(service, step, newestInRequest);
    judging.changes.clockSteps += 1;
  }
  service.lastSeen = receivedAt;
  const skew = skewOf(service, receivedAt - newestInRequest, receivedAt);
  if ((skew === null) !== (service.skewSeconds === null)) judging.changes.services.add(service);
  service.skewSeconds = skew;
}

/** By how much its clock is wrong, in seconds ahead; null where it is right, or nothing is known. */
function skewOf(service: JudgedService, difference: number, receivedAt: number): number | null {
  const ahead = skewSeconds(service.newestInRequest, receivedAt);
  // The offset is only worked out where it may matter.
  if (ahead !== null || Math.abs(difference) <= WRONG_CLOCK_MS) return ahead;
  return wrongClockSeconds(service.offset.ms);
}

const MEMBER_KINDS: readonly MemberKind[] = ['container', 'process'];

/** Matches the host with the rules of metrics that it has not sent before, in turns of the event loop. */
async function matchMetrics(
  { rules, turn }: RequestJudging,
  service: JudgedService,
  metrics: readonly string[],
): Promise<void> {
  for (const [place, metric] of metrics.entries()) {
    if (service.metrics[place] === metric) continue;
    const own = rules.forMetric(service.organizationId, metric);
    if (!own.isForAllHosts) await own.match(service.host, service.tags, turn);
  }
}

/** The same for those of containers and processes, of which some are new. */
async function matchMembers(
  { rules, turn, progress }: RequestJudging,
  service: JudgedService,
): Promise<void> {
  for (const kind of MEMBER_KINDS)
    for (const metric of rules.metricsOf(service.organizationId, kind))
      await rules.forMetric(service.organizationId, metric).match(service.host, service.tags, turn);
  progress.isMatched = true;
}

/** Judges a payload from where its progress says; false where it stopped before the end. */
function judgePayload(
  judging: RequestJudging,
  request: SampleBatch,
  service: JudgedService,
  payload: Payload,
): boolean {
  const { metrics, values } = payload;
  if (service.metrics !== metrics) followMetrics(service, judging.rules, metrics);
  const { judged } = service;
  const { progress } = judging;
  progress.follow(payload, service.generation);
  for (let place = progress.metrics; place < metrics.length; place += 1) {
    const stream = judged[place] as Stream | null;
    if (stream === null || judgeSample(judging, request, service, payload, stream, values[place] as number))
      continue;
    progress.metrics = place;
    return false;
  }
  progress.metrics = metrics.length;
  for (const kind of MEMBER_KINDS) {
    if (!(kind === 'container' ? payload.containers : payload.processes)) continue;
    if (!judgeMembers(judging, request, service, payload, kind, progress.members[kind])) return false;
  }
  return true;
}

function followMetrics(service: JudgedService, rules: RuleIndex, metrics: readonly string[]): void {
  const { metrics: before, judged, subject } = service;
  for (const [place, metric] of metrics.entries()) {
    if (before[place] !== metric)
      judged[place] = isReserved(metric) ? null : streamOf(service, rules, subject, metric);
  }
  service.metrics = metrics;
}

/** A host's own metric of a name that rules use for something else is stored and judged by nobody. */
function isReserved(name: string): boolean {
  return name === SILENT_MINUTES || subjectKindOf(name) !== 'host';
}
