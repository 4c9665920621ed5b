import type { Payload, SampleBatch } from '@tidewatch/contracts/ingest/sample';
import { isBackfilled } from '@tidewatch/domain/alerting/backfill';
import { judge } from '@tidewatch/domain/alerting/judge';
import type { Turn } from '@tidewatch/store/event-loop/turn';
import type { JudgedService } from '../memory/judged-service.ts';
import type { Stream } from '../memory/stream.ts';
import type { RuleIndex } from '../rules/rule-index.ts';
import type { RuleSet } from '../rules/rule-set.ts';
import { applyVerdict, confirm, type Judging, type Origin } from './apply-verdict.ts';
import type { PayloadProgress } from './payload-progress.ts';

/** What an alert instance that takes a step costs, with what is stored of it, in those that take none. */
export const WORK_OF_A_STEP = 1_000;
/** Alert instances that are evaluated before the clock is looked at. */
const PAIRS_A_LOOK = 16;

/** What judging samples needs besides them. */
export interface SampleJudging extends Judging {
  rules: RuleIndex;
  /** How the request came here. */
  origin: Origin;
  /** How many alert instances of the organization may still begin. */
  room: number;
  /** Judging ends, with the rest left for later, once `changes.work` has reached this. */
  endAt: number;
  /** Judging stops once it is over, and goes on from there in the next. */
  turn: Turn;
  /** How far the payload is judged that judging stopped in. */
  progress: PayloadProgress;
  /** Alert instances that were evaluated since the clock was looked at. */
  unlooked: number;
  /** Grows whenever the rules' activity was stored. */
  epoch: number;
  /** Notes that the rules judged something. */
  noteActivity(judges: RuleSet): void;
  /** Notes that the data of a stream came whose rules do something when they stay away. */
  noteData(service: JudgedService, stream: Stream): void;
}

/** Whether judging is to stop before it evaluates another alert instance that may take a step. */
export function mustStop(judging: SampleJudging): boolean {
  if (judging.changes.work >= judging.endAt) return true;
  judging.unlooked += 1;
  if (judging.unlooked < PAIRS_A_LOOK) return false;
  judging.unlooked = 0;
  return judging.turn.isOver;
}

/**
 * Judges one value of a stream, and what is derived from it. False where it stopped before the end: what is left is
 * judged later, by `judging.progress`. Without that all of it is, which changes nothing of what has taken its step.
 */
export function judgeSample(
  judging: SampleJudging,
  request: SampleBatch,
  service: JudgedService,
  payload: Payload,
  stream: Stream,
  value: number,
): boolean {
  const { time } = payload;
  const { judges } = stream;
  if (judges.notedIn !== judging.epoch) {
    judges.notedIn = judging.epoch;
    judging.noteActivity(judges);
  }
  if (judges.watchesData) judging.noteData(service, stream);
  const begun = judging.progress.pairs;
  if (begun.size === 0 || !begun.has(stream.pairs)) judging.changes.judgedPairs += judges.rules.length;
  // Nearly every sample of nearly every stream ends here.
  if (!stream.passes(time, value) && !judgePairs(judging, request, service, payload, stream, value))
    return false;
  return stream.derived.length === 0 || judgeDerived(judging, request, service, payload, stream, value);
}

function judgePairs(
  judging: SampleJudging,
  request: SampleBatch,
  service: JudgedService,
  payload: Payload,
  stream: Stream,
  value: number,
): boolean {
  const { changes, progress } = judging;
  if (changes.work >= judging.endAt) return false;
  const { time } = payload;
  const { receivedAt } = request;
  const hasYounger = receivedAt < judging.rules.youngestSince;
  const pairs = stream.wake();
  let i = progress.pairs.size === 0 ? 0 : (progress.pairs.get(pairs) ?? 0);
  for (; i < pairs.length && !mustStop(judging); i += 1) {
    changes.work += 1;
    const pair = pairs[i] as (typeof pairs)[number];
    if (hasYounger && judging.rules.isYoungerThan(pair.rule.id, receivedAt, judging.now)) continue;
    if (time < pair.judgedAt) {
      judging.changes.latePairs += 1;
      continue;
    }
    const lastJudgedAt = pair.judgedAt === Number.NEGATIVE_INFINITY ? null : pair.judgedAt;
    const previous = pair.state;
    pair.judgedAt = time;
    if (previous === null && !pair.rule.breaches(value)) continue;
    if (previous === null && judging.room <= 0) {
      changes.heldBack += 1;
      continue;
    }
    const usual = previous?.state === 'pending' ? stream.usualIntervalMs() : 0;
    const verdict = judge(pair.rule, previous, lastJudgedAt, time, value, usual);
    if (!verdict) continue;
    const backfilled = () => isBackfilled(time, receivedAt, request.stalledMs, service.offset.ms);
    const cause = { at: time, value, payload, origin: judging.origin, backfilled };
    const changed = changes.changedAlerts.size;
    applyVerdict(judging, pair, verdict, cause);
    if (pair.unconfirmed && pair.phase === 'firing' && pair.rule.breaches(value) && !backfilled())
      confirm(judging, pair, cause);
    // An alert also changes where its rule was edited.
    if (verdict.transitions.length === 0 && changes.changedAlerts.size === changed) continue;
    if (previous === null) judging.room -= 1;
    changes.work += WORK_OF_A_STEP;
  }
  stream.settle();
  const isDone = i === pairs.length;
  if (!isDone || stream.derived.length > 0) progress.pairs.set(pairs, i);
  // The rules that are left hold the sample's gap against the interval before it.
  if (isDone) stream.observe(time);
  return isDone;
}

function judgeDerived(
  judging: SampleJudging,
  request: SampleBatch,
  service: JudgedService,
  payload: Payload,
  base: Stream,
  value: number,
): boolean {
  for (const stream of base.derived) {
    const derived = stream.window?.take(payload.time, value) ?? null;
    if (derived !== null) {
      if (!judgeSample(judging, request, service, payload, stream, derived)) return false;
    } else if (stream.judges.watchesData) judging.noteData(service, stream);
  }
  return true;
}
