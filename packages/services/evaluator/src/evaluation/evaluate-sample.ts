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

/** Cost of an evaluation that causes a transition, writes included, relative to one that causes none. */
export const WORK_OF_A_STEP = 1_000;
/** Alert instances evaluated between two checks of the clock. */
const INSTANCES_PER_CLOCK_CHECK = 16;

/** The inputs for evaluating samples, apart from the samples themselves. */
export interface SampleEvaluation extends Evaluation {
  rules: RuleIndex;
  /** How the request reached the evaluator. */
  origin: Origin;
  /** How many alert instances the organization may still begin. */
  room: number;
  /** Evaluation stops once `changes.work` has reached this; the rest of the request is evaluated in a later transaction. */
  endAt: number;
  /** The turn of the event loop: evaluation pauses when it is over, and continues in the next. */
  turn: Turn;
  /** Where to continue within the payload after evaluation has stopped. */
  progress: PayloadProgress;
  /** The number of alert instances evaluated since the last check of the clock. */
  sinceClockCheck: number;
  /** The number of the current flush of rule activity. */
  epoch: number;
  /** Records that the rules evaluated a sample. */
  noteActivity(ruleSet: RuleSet): void;
  /** Records that a stream received data, if one of its rules acts on missing data. */
  noteData(service: EvaluatedService, stream: Stream): void;
}

/** Whether evaluation has to stop before the next alert instance. */
export function mustStop(evaluation: SampleEvaluation): boolean {
  if (evaluation.changes.work >= evaluation.endAt) return true;
  evaluation.sinceClockCheck += 1;
  if (evaluation.sinceClockCheck < INSTANCES_PER_CLOCK_CHECK) return false;
  evaluation.sinceClockCheck = 0;
  return evaluation.turn.isOver;
}

/**
 * Evaluates one value of a stream and of the streams derived from it. Returns false if it stopped before the end;
 * `evaluation.progress` then holds where to continue. Evaluating a value twice causes no second transition.
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
  // Fast path: nearly every sample of nearly every stream ends here.
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
    // Stages the alert after an edit of its rule, which changes the alert without a transition.
    if (verdict.transitions.length === 0 && changes.changedAlerts.size === changed) continue;
    if (previous === null) evaluation.room -= 1;
    changes.work += WORK_OF_A_STEP;
  }
  stream.settle();
  const isDone = i === instances.length;
  if (!isDone || stream.derived.length > 0) progress.instances.set(instances, i);
  // Observes the time only after the last rule, because all rules compare the gap before the sample with the usual interval
  // before it.
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
