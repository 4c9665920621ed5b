import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { isBackfilled } from '@tidewatch/domain/alerting/backfill';
import { evaluate } from '@tidewatch/domain/alerting/evaluate';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { EvaluatedService } from '../memory/evaluated-service.ts';
import type { Stream } from '../memory/stream.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { applyVerdict, confirm } from './apply-verdict.ts';
import type { Evaluation, Origin } from './evaluation.ts';
import type { PayloadProgress } from './payload-progress.ts';

/** What an alert instance that takes a step costs, with what is stored of it, in those that take none. */
export const WORK_OF_A_STEP = 1_000;
/** Alert instances that are evaluated before the clock is looked at. */
const INSTANCES_PER_CLOCK_CHECK = 16;

/** What evaluating samples needs besides them. */
export interface SampleEvaluation extends Evaluation {
  rules: RuleIndex;
  /** How the request came here. */
  origin: Origin;
  /** How many alert instances of the organization may still begin. */
  room: number;
  /** Evaluating ends, with the rest left for later, once `changes.work` has reached this. */
  endAt: number;
  /** Evaluating stops once it is over, and goes on from there in the next. */
  turn: Turn;
  /** How far the payload is evaluated that evaluating stopped in. */
  progress: PayloadProgress;
  /** Alert instances that were evaluated since the clock was looked at. */
  sinceClockCheck: number;
  /** Grows whenever the rules' activity was stored. */
  epoch: number;
  /** Notes that the rules evaluated something. */
  noteActivity(ruleSet: RuleSet): void;
  /** Notes that the data of a stream came whose rules do something when they stay away. */
  noteData(service: EvaluatedService, stream: Stream): void;
}

/** Whether evaluating is to stop before it evaluates another alert instance that may take a step. */
export function mustStop(evaluation: SampleEvaluation): boolean {
  if (evaluation.changes.work >= evaluation.endAt) return true;
  evaluation.sinceClockCheck += 1;
  if (evaluation.sinceClockCheck < INSTANCES_PER_CLOCK_CHECK) return false;
  evaluation.sinceClockCheck = 0;
  return evaluation.turn.isOver;
}

/**
 * Evaluates one value of a stream, and what is derived from it. False where it stopped before the end: what is left is
 * evaluated later, by `evaluation.progress`. Without that all of it is, which changes nothing of what has taken its step.
 */
export function evaluateSample(
  evaluation: SampleEvaluation,
  request: SampleBatch,
  service: EvaluatedService,
  payload: Payload,
  stream: Stream,
  value: number,
): boolean {
  const { time } = payload;
  const { ruleSet } = stream;
  if (ruleSet.notedIn !== evaluation.epoch) {
    ruleSet.notedIn = evaluation.epoch;
    evaluation.noteActivity(ruleSet);
  }
  if (ruleSet.watchesData) evaluation.noteData(service, stream);
  const begun = evaluation.progress.instances;
  if (begun.size === 0 || !begun.has(stream.instances))
    evaluation.changes.evaluatedInstances += ruleSet.rules.length;
  // Nearly every sample of nearly every stream ends here.
  if (!stream.passes(time, value) && !evaluateInstances(evaluation, request, service, payload, stream, value))
    return false;
  return stream.derived.length === 0 || evaluateDerived(evaluation, request, service, payload, stream, value);
}

function evaluateInstances(
  evaluation: SampleEvaluation,
  request: SampleBatch,
  service: EvaluatedService,
  payload: Payload,
  stream: Stream,
  value: number,
): boolean {
  const { changes, progress } = evaluation;
  if (changes.work >= evaluation.endAt) return false;
  const { time } = payload;
  const { receivedAt } = request;
  const hasYounger = receivedAt < evaluation.rules.youngestSince;
  const instances = stream.wake();
  let i = progress.instances.size === 0 ? 0 : (progress.instances.get(instances) ?? 0);
  for (; i < instances.length && !mustStop(evaluation); i += 1) {
    changes.work += 1;
    const instance = instances[i] as (typeof instances)[number];
    if (hasYounger && evaluation.rules.isYoungerThan(instance.rule.id, receivedAt, evaluation.now)) continue;
    if (time < instance.evaluatedAt) {
      evaluation.changes.lateInstances += 1;
      continue;
    }
    const lastEvaluatedAt = instance.evaluatedAt === Number.NEGATIVE_INFINITY ? null : instance.evaluatedAt;
    const previous = instance.state;
    instance.evaluatedAt = time;
    if (previous === null && !instance.rule.breaches(value)) continue;
    if (previous === null && evaluation.room <= 0) {
      changes.heldBack += 1;
      continue;
    }
    const usual = previous?.state === 'pending' ? stream.usualIntervalMs() : 0;
    const verdict = evaluate(instance.rule, previous, lastEvaluatedAt, time, value, usual);
    if (!verdict) continue;
    const backfilled = () => isBackfilled(time, receivedAt, request.stalledMs, service.offset.ms);
    const cause = { at: time, value, payload, origin: evaluation.origin, backfilled };
    const changed = changes.changedAlerts.size;
    applyVerdict(evaluation, instance, verdict, cause);
    if (instance.unconfirmed && instance.phase === 'firing' && instance.rule.breaches(value) && !backfilled())
      confirm(evaluation, instance, cause);
    // An alert also changes where its rule was edited.
    if (verdict.transitions.length === 0 && changes.changedAlerts.size === changed) continue;
    if (previous === null) evaluation.room -= 1;
    changes.work += WORK_OF_A_STEP;
  }
  stream.settle();
  const isDone = i === instances.length;
  if (!isDone || stream.derived.length > 0) progress.instances.set(instances, i);
  // The rules that are left hold the sample's gap against the interval before it.
  if (isDone) stream.observe(time);
  return isDone;
}

function evaluateDerived(
  evaluation: SampleEvaluation,
  request: SampleBatch,
  service: EvaluatedService,
  payload: Payload,
  base: Stream,
  value: number,
): boolean {
  for (const stream of base.derived) {
    const derived = stream.window?.take(payload.time, value) ?? null;
    if (derived !== null) {
      if (!evaluateSample(evaluation, request, service, payload, stream, derived)) return false;
    } else if (stream.ruleSet.watchesData) evaluation.noteData(service, stream);
  }
  return true;
}
