import { hasDirection } from '@tidewatch/contracts/rules/condition';
import type { Transaction } from '@tidewatch/database/connection';
import { Trial } from '@tidewatch/domain/preview/trial';
import { Turn } from '../event-loop/turn.ts';
import type { MinutesOptions } from '../series/series-columns.ts';
import { PreviewTooLargeError } from './effort.ts';
import { GoneSubjects } from './gone-subjects.ts';
import {
  legOf,
  MAX_LEG_MS,
  MAX_VALUES,
  type PlannedSubject,
  planLegs,
  type StreamSubject,
  type TrialLeg,
} from './plan-legs.ts';
import type { PreviewContext, PreviewRequest } from './preview-context.ts';
import { readValues, type Values } from './values.ts';

/** The maximum number of legs, and of values, that one statement reads. */
const LEGS_AT_ONCE = 1_000;
const VALUES_AT_ONCE = 25_000;
/** The max number of evaluations at once: one for each subject and candidate. */
const MAX_TRIALS_AT_ONCE = 200_000;
/** The number of values that are evaluated between two checks of the time. */
const VALUES_PER_CHECK = 64;

/** Evaluates a rule on hosts, containers or parts; `readers` are transactions with one snapshot, which read concurrently. */
export async function previewStreams(
  context: PreviewContext,
  readers: readonly Transaction[],
): Promise<void> {
  const turn = new Turn(context.request.signal);
  const subjects = await planLegs(context, turn);
  const gone = new GoneSubjects(context);
  const atOnce = Math.ceil(MAX_TRIALS_AT_ONCE / (1 + context.request.candidates.length));
  for (let start = 0; start < subjects.length; start += atOnce)
    await evaluateSubjects(context, readers, subjects.slice(start, start + atOnce), { turn, gone });
}

/** Reads the ranges of all subjects in order of time, because rows of the same time are stored together. */
async function evaluateSubjects(
  context: PreviewContext,
  readers: readonly Transaction[],
  subjects: readonly PlannedSubject[],
  shared: Shared,
): Promise<void> {
  const runs = new Map(subjects.map(({ subject }) => [subject, new SubjectRun(context, subject, shared)]));
  const legs = subjects.flatMap((planned) => planned.legs).sort((a, b) => a.from - b.from);
  const ahead: Chunk[] = [];
  let read = 0;
  let end = 0;
  // Each reader reads one part while another part is evaluated.
  const readAhead = () => {
    while (ahead.length < readers.length) {
      const reader = readers[read % readers.length] as Transaction;
      const chunk = readChunk(context, reader, legs, end);
      if (chunk === null) return;
      chunk.values.catch(() => undefined);
      ahead.push(chunk);
      read += 1;
      end = chunk.end;
    }
  };
  readAhead();
  for (let next = ahead.shift(); next !== undefined; next = ahead.shift()) {
    const { part } = next;
    const values = await next.values;
    readAhead();
    for (const [index, leg] of part.entries())
      await (runs.get(leg.subject) as SubjectRun).evaluate(leg, values[index] as Values);
  }
  for (const run of runs.values()) await run.finish();
}

/** Reads the mean of each minute only for rules that need it besides minimum and maximum. */
function optionsOf({ rule, retained }: PreviewRequest): MinutesOptions {
  const { condition, transform } = rule;
  const withMean =
    transform === null
      ? !hasDirection(condition)
      : transform.kind !== 'minimum' && transform.kind !== 'maximum';
  return { retained, withMean };
}

interface Chunk {
  part: readonly TrialLeg[];
  /** The index of the first leg of the next chunk. */
  end: number;
  values: Promise<Values[]>;
}

function readChunk(
  { request }: PreviewContext,
  reader: Transaction,
  legs: readonly TrialLeg[],
  start: number,
): Chunk | null {
  let end = start;
  for (let values = 0; end < legs.length && end - start < LEGS_AT_ONCE && values < VALUES_AT_ONCE; end += 1)
    values += (legs[end] as TrialLeg).values;
  if (end === start) return null;
  const part = legs.slice(start, end);
  return { part, end, values: readValues(reader, request.tier, part, optionsOf(request)) };
}

/** What the runs of all subjects share. */
interface Shared {
  turn: Turn;
  gone: GoneSubjects;
}

/** Evaluates the ranges of one subject in order of time. */
class SubjectRun {
  readonly #context: PreviewContext;
  readonly #subject: StreamSubject;
  readonly #turn: Turn;
  readonly #gone: GoneSubjects;
  readonly #trial: Trial;
  /** The time up to which the subject is evaluated, ms. */
  #done = 0;
  /** The time of the newest value, ms; before the first one, and after values that were left out, there is none. */
  #newest = Number.NEGATIVE_INFINITY;

  constructor(context: PreviewContext, subject: StreamSubject, { turn, gone }: Shared) {
    const { serviceId, host, subject: evaluated } = subject.stored;
    this.#context = context;
    this.#subject = subject;
    this.#turn = turn;
    this.#gone = gone;
    this.#trial = new Trial(subject.rules, context.tally.sinkOf({ serviceId, host, subject: evaluated }));
  }

  async evaluate(leg: TrialLeg, values: Values): Promise<void> {
    await this.#goOnUntil(leg.from);
    if (leg.from > this.#done && !this.#trial.isActive) this.#newest = Number.NEGATIVE_INFINITY;
    await this.#take(values, leg.evaluateFrom);
    const [first] = values.at;
    this.#done = leg.firstOnly && first !== undefined ? first + 1 : leg.to;
  }

  /** Evaluates up to the end of the subject; an alert that is still active has no end. */
  async finish(): Promise<void> {
    await this.#goOnUntil(this.#subject.end);
    if (this.#trial.isActive) await this.#endIfGone(this.#context.request.to);
    this.#trial.finish();
  }

  /** While an alert is active, also evaluates the values that the plan left out, up to `to`. */
  async #goOnUntil(to: number): Promise<void> {
    while (this.#trial.isActive && this.#done < to) {
      const { tx, request } = this.#context;
      const end = Math.min(this.#done + MAX_LEG_MS, to);
      const leg = legOf(this.#subject, this.#done, end);
      const [values] = await readValues(tx, request.tier, [leg], optionsOf(request));
      if (values) await this.#take(values, this.#done);
      this.#done = end;
    }
  }

  /** Whether it matters that the subject is gone: there is an alert or a window. */
  get #hasHistory(): boolean {
    return this.#trial.isActive || this.#subject.rules.own.transform !== null;
  }

  /** Ends the alert of a container or part that is gone before `until` (ms), and empties its window. */
  async #endIfGone(until: number): Promise<void> {
    const goneAt = await this.#gone.goneAt(this.#subject, this.#newest, until);
    if (goneAt !== null) this.#trial.gone(goneAt);
  }

  async #take({ before, at, min, max, mean }: Values, evaluateFrom: number): Promise<void> {
    for (const time of before) this.#trial.pass(time);
    const { tally } = this.#context;
    tally.took(this.#subject.stored.serviceId, at.length);
    if (tally.values > 2 * MAX_VALUES) throw new PreviewTooLargeError(null);
    for (let i = 0; i < at.length; i += 1) {
      const time = at[i] as number;
      if (this.#gone.mayBeGone(this.#subject, this.#newest, time) && this.#hasHistory)
        await this.#endIfGone(time);
      this.#newest = time;
      this.#trial.take(time, min[i] as number, max[i] as number, mean[i] as number, evaluateFrom);
      if (i % VALUES_PER_CHECK === 0 && this.#turn.isOver) await this.#turn.yieldWhenDue();
    }
    if (this.#turn.isOver) await this.#turn.yieldWhenDue();
  }
}
