import { isSameShape, type PartShape } from '@tidewatch/contracts/ingest/part-shape';
import { partSubject } from '@tidewatch/contracts/ingest/part-subject';
import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { evaluateGone, PART_GONE_MS } from '@tidewatch/domain/alerting/absence';
import { removeStream, streamOf } from '../memory/compile-streams.ts';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { HostParts } from '../memory/host-parts.ts';
import type { Stream } from '../memory/stream.ts';
import { streamName } from '../memory/stream-name.ts';
import { applyAbsence } from './evaluate-members.ts';
import { evaluateSample, mustStop, type SampleEvaluation } from './evaluate-sample.ts';

/**
 * Looks up the streams of the parts of a payload, unless its parts are those of the payload before. Returns a promise only if
 * they have to be looked up.
 */
export function followParts(
  evaluation: SampleEvaluation,
  service: EvaluatedService,
  shape: PartShape,
): Promise<void> | undefined {
  const { parts, organizationId } = service;
  if (parts.shape === shape) return undefined;
  const isKnown = parts.shape !== null && isSameShape(parts.shape, shape);
  const isEvaluated = parts.streams !== null || evaluation.rules.partMetricsOf(organizationId).size > 0;
  if (!isKnown && isEvaluated) return compileParts(evaluation, service, shape);
  parts.shape = shape;
  return undefined;
}

async function compileParts(
  { rules, turn }: SampleEvaluation,
  service: EvaluatedService,
  shape: PartShape,
): Promise<void> {
  const { parts, organizationId, host, tags } = service;
  const metrics = rules.partMetricsOf(organizationId);
  const places: number[] = [];
  const current: Stream[] = [];
  for (const [index, kind] of shape.kinds.entries()) {
    const ofKind = metrics.get(kind);
    if (ofKind === undefined) continue;
    const { subject, matched } = parts.part(partSubject(kind, shape.names[index] as string));
    for (let place = shape.ends[index - 1] ?? 0; place < (shape.ends[index] as number); place += 1) {
      const metric = ofKind.get(shape.metrics[place] as string);
      if (metric === undefined) continue;
      await rules.forMetric(organizationId, metric).match(host, tags, matched, turn);
      const stream = streamOf(service, rules, subject, metric);
      if (stream === null) continue;
      places.push(place);
      current.push(stream);
    }
    if (turn.isOver) await turn.yieldWhenDue();
  }
  parts.places = places;
  parts.current = current;
  parts.shape = shape;
  const isCurrent = new Set(current);
  expectGone(
    parts,
    [...(parts.streams ?? [])].filter((stream) => !isCurrent.has(stream)),
  );
  parts.prune();
}

/** Evaluates the parts of a payload from the progress of `evaluation` on. Returns false if it stopped before the end. */
export function evaluateParts(
  evaluation: SampleEvaluation,
  request: SampleBatch,
  service: EvaluatedService,
  payload: Payload,
  values: readonly number[],
): boolean {
  const { progress } = evaluation;
  const { places, current, nextGoneAt } = service.parts;
  for (let index = progress.parts; index < current.length; index += 1) {
    const value = values[places[index] as number] as number;
    if (evaluateSample(evaluation, request, service, payload, current[index] as Stream, value)) continue;
    progress.parts = index;
    return false;
  }
  progress.parts = current.length;
  return payload.time < nextGoneAt || releaseGone(evaluation, service, payload);
}

/** Ends the alerts of parts that are gone, and removes their streams. Returns false if it stopped before the end. */
function releaseGone(evaluation: SampleEvaluation, service: EvaluatedService, payload: Payload): boolean {
  const { parts } = service;
  const left = new Set(parts.absent);
  let isDone = true;
  for (const stream of parts.absent) {
    if (payload.time < goneAt(stream)) continue;
    if (mustStop(evaluation)) {
      isDone = false;
      break;
    }
    for (const each of [stream, ...stream.derived]) endInstances(evaluation, each, payload);
    removeStream(service, streamName(stream.subject, stream.key), stream);
    left.delete(stream);
  }
  expectGone(parts, [...left]);
  return isDone;
}

function endInstances(evaluation: SampleEvaluation, stream: Stream, payload: Payload): void {
  for (const instance of stream.instances) {
    const { state } = instance;
    if (state === null) continue;
    applyAbsence(evaluation, instance, evaluateGone(state), payload);
  }
  stream.settle();
}

function expectGone(parts: HostParts, absent: readonly Stream[]): void {
  parts.absent = absent;
  parts.nextGoneAt = Math.min(Number.POSITIVE_INFINITY, ...absent.map(goneAt));
}

/** When a stream without samples counts as gone, ms by the host's clock. */
function goneAt({ newest, instances }: Stream): number {
  return Math.max(newest, ...instances.map(({ evaluatedAt }) => evaluatedAt)) + PART_GONE_MS;
}
