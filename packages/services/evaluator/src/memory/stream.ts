import type { Subject } from '@tidewatch/contracts/values/subject';
import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import type { Window } from '@tidewatch/domain/alerting/window';
import { NumberSlab } from '@tidewatch/domain/series/number-slab';
import { NO_RULES, type RuleSet } from '../rules/rule-set.ts';
import { AlertInstance } from './alert-instance.ts';
import type { EvaluatedService } from './evaluated-service.ts';

/** Where a stream's numbers lie, from its first one on: each would be an object of its own as a property. */
const EVALUATED_AT = 0;
const NEWEST = 1;
const SEED_MS = 2;
const TIMES = 3;
/** Times of samples kept, one more than the intervals of the median. */
const TIMES_KEPT = 10;
const NUMBERS = TIMES + TIMES_KEPT;

const slab = new NumberSlab();
const NO_INSTANCES: readonly AlertInstance[] = Object.freeze([]);
const NO_STREAMS: readonly Stream[] = Object.freeze([]);

/** What a stream is of. */
export interface StreamIdentity {
  subject: Subject;
  metric: string;
  /** The stream key of its rules: the metric, or what is derived from it. */
  key: string;
}

/**
 * One metric of one subject, or a value derived from it, that at least one rule judges. While all alert instances are inactive, one comparison with the bounds of
 * its rules stands for all of them, and only `evaluatedAt` moves. Alert instances that differ in nothing but their rule are not kept
 * at all: the stream is at rest until `wake` makes them anew. Most streams of a fleet are at rest, and what they do not
 * hold no collection has to look at.
 */
export class Stream implements StreamIdentity {
  readonly service: EvaluatedService;
  readonly subject: Subject;
  readonly metric: string;
  readonly key: string;
  /** What its values are derived through; null for samples as they are. */
  readonly window: Window | null;
  /** Streams that are derived from this one. */
  derived: readonly Stream[] = NO_STREAMS;
  /** When its metric last came, on the pipeline's clock, ms; null until somebody watches for that, since a number here is an object. */
  lastSeenAt: number | null = null;
  /** In how many payloads in a row its container or process was missing. */
  missed = 0;
  /** What evaluates it. */
  ruleSet: RuleSet = NO_RULES;
  /** One for each of the rules; none while the stream is at rest. */
  instances: readonly AlertInstance[] = NO_INSTANCES;
  /** Whether all alert instances are inactive. */
  #quiet = false;
  #ahead = false;
  #count = 0;
  readonly #first = slab.reserve(NUMBERS, Number.NEGATIVE_INFINITY);
  readonly #numbers = slab.piece;

  constructor(
    service: EvaluatedService,
    { subject, metric, key }: StreamIdentity,
    usualIntervalMs: number,
    newest: number,
    window: Window | null = null,
  ) {
    this.service = service;
    this.subject = subject;
    this.metric = metric;
    this.key = key;
    this.window = window;
    this.#numbers[this.#first + SEED_MS] = usualIntervalMs;
    this.observe(newest);
  }

  /** The newest time that all alert instances have evaluated, or that any has; ms, -Infinity before the first. */
  get evaluatedAt(): number {
    return this.#numbers[this.#first + EVALUATED_AT] as number;
  }

  /** Whether all of its alert instances are inactive. */
  get isQuiet(): boolean {
    return this.#quiet;
  }

  /** Whether the sample changes nothing but the time of the last evaluated; takes it if so. */
  passes(time: number, value: number): boolean {
    const { ruleSet } = this;
    if (!this.#quiet || value <= ruleSet.quietAbove || value >= ruleSet.quietBelow || time < this.evaluatedAt)
      return false;
    this.#numbers[this.#first + EVALUATED_AT] = time;
    if (!this.#ahead) {
      this.#ahead = true;
      this.rest();
    }
    this.observe(time);
    return true;
  }

  /** The alert instances as they stand now, to be evaluated by themselves. */
  wake(): readonly AlertInstance[] {
    if (this.instances.length === 0) {
      this.instances = this.ruleSet.rules.map((rule) => new AlertInstance(this, rule, this.evaluatedAt));
    } else if (this.#ahead) {
      for (const instance of this.instances)
        instance.evaluatedAt = Math.max(instance.evaluatedAt, this.evaluatedAt);
    }
    this.#ahead = false;
    return this.instances;
  }

  /** To be called after alert instances were evaluated by themselves. */
  settle(): void {
    let quiet = true;
    let evaluatedAt = Number.NEGATIVE_INFINITY;
    for (const instance of this.instances) {
      if (instance.phase !== null) quiet = false;
      if (instance.evaluatedAt > evaluatedAt) evaluatedAt = instance.evaluatedAt;
    }
    this.#quiet = quiet;
    this.#numbers[this.#first + EVALUATED_AT] = evaluatedAt;
  }

  /** Takes other rules, or edited ones, with their alert instances in the same order. */
  replaceInstances(ruleSet: RuleSet, instances: readonly AlertInstance[]): void {
    this.ruleSet = ruleSet;
    this.instances = instances;
    this.settle();
    this.rest();
  }

  /**
   * Lets go of the alert instances if all are inactive and have evaluated the same samples, and the store has none of them: one
   * that it has is to be deleted there.
   */
  rest(): void {
    if (!this.#quiet) return;
    for (const instance of this.instances)
      if (instance.stored || (!this.#ahead && instance.evaluatedAt !== this.evaluatedAt)) return;
    this.instances = NO_INSTANCES;
  }

  /** Takes the time of a sample; late ones tell nothing about the interval. */
  observe(time: number): void {
    const numbers = this.#numbers;
    const first = this.#first;
    if (time <= (numbers[first + NEWEST] as number)) return;
    numbers[first + NEWEST] = time;
    numbers[first + TIMES + (this.#count % TIMES_KEPT)] = time;
    this.#count += 1;
  }

  /**
   * Moves all times by `by` ms, as the host's clock was: what was evaluated counts as evaluated at most at `until`, so that what
   * comes from then on is evaluated in the order in which it comes.
   */
  shift(by: number, until: number): void {
    const numbers = this.#numbers;
    const first = this.#first;
    numbers[first + EVALUATED_AT] = Math.min((numbers[first + EVALUATED_AT] as number) + by, until);
    numbers[first + NEWEST] = Math.min((numbers[first + NEWEST] as number) + by, until);
    for (let place = first + TIMES; place < first + NUMBERS; place += 1)
      numbers[place] = (numbers[place] as number) + by;
    this.window?.shift(by, until);
    for (const instance of this.instances) instance.shift(by, until);
  }

  /** The usual interval in ms before the next sample, 0 while unknown. Asked for rarely, so nothing is kept of it. */
  usualIntervalMs(): number {
    const numbers = this.#numbers;
    const first = this.#first;
    const interval = new UsualInterval({ ms: numbers[first + SEED_MS] as number, lastTime: null });
    for (let i = Math.max(0, this.#count - TIMES_KEPT); i < this.#count; i += 1)
      interval.observe(numbers[first + TIMES + (i % TIMES_KEPT)] as number);
    return interval.ms;
  }
}
