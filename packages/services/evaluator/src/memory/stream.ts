import type { Subject } from '@tidewatch/contracts/values/subject';
import { UsualInterval } from '@tidewatch/domain/alerting/interval';
import type { Window } from '@tidewatch/domain/alerting/window';
import { NumberSlab } from '@tidewatch/domain/series/number-slab';
import { NO_RULES, type RuleSet } from '../rules/rule-set.ts';
import { AlertInstance, type InstanceStream } from './alert-instance.ts';
import type { MonitoredHost } from './monitored-host.ts';

/** Positions of a stream's numbers in the shared slab, because a number in a property would be an object of its own. */
const EVALUATED_AT = 0;
const NEWEST = 1;
const SEED_MS = 2;
const TIMES = 3;
/** The number of sample times that are kept: one more than the number of intervals of the median. */
const TIMES_KEPT = 10;
const NUMBERS = TIMES + TIMES_KEPT;

const slab = new NumberSlab();
const NO_INSTANCES: readonly AlertInstance[] = Object.freeze([]);
const NO_STREAMS: readonly Stream[] = Object.freeze([]);

/** Identity of a stream. */
export interface StreamIdentity {
  subject: Subject;
  metric: string;
  /** The key of what the rules evaluate: a metric, or a derived value. */
  key: string;
}

/**
 * One metric of one subject, or a derived value, with at least one rule. While all alert instances are inactive, a
 * comparison with the bounds of all rules replaces their evaluation, and the stream is idle: `wake` creates its alert
 * instances when needed.
 */
export class Stream implements StreamIdentity, InstanceStream {
  readonly service: MonitoredHost;
  readonly subject: Subject;
  readonly metric: string;
  readonly key: string;
  /** The window of a derived value; null for a stream of samples. */
  readonly window: Window | null;
  /** Streams of values that are derived from this one. */
  derived: readonly Stream[] = NO_STREAMS;
  /** When the metric was last received, on the pipeline clock, ms; null if nothing watches that. */
  lastSeenAt: number | null = null;
  /** The number of payloads in a row without the container or process of the stream. */
  missed = 0;
  /** The rules that evaluate this stream. */
  ruleSet: RuleSet = NO_RULES;
  /** One alert instance for each rule; none while the stream is idle. */
  instances: readonly AlertInstance[] = NO_INSTANCES;
  #quiet = false;
  #ahead = false;
  #count = 0;
  readonly #first = slab.reserve(NUMBERS, Number.NEGATIVE_INFINITY);
  readonly #numbers = slab.piece;

  constructor(
    service: MonitoredHost,
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

  /** Newest time that any alert instance has evaluated; ms, -Infinity before the first. */
  get evaluatedAt(): number {
    return this.#numbers[this.#first + EVALUATED_AT] as number;
  }

  /** Time (ms) of the newest sample, evaluated or not; -Infinity before the first. */
  get newest(): number {
    return this.#numbers[this.#first + NEWEST] as number;
  }

  /** Whether all alert instances are inactive. */
  get isQuiet(): boolean {
    return this.#quiet;
  }

  /** Whether the sample changes nothing except the evaluated time, which this call updates. */
  passes(time: number, value: number): boolean {
    const { ruleSet } = this;
    if (!this.#quiet || value <= ruleSet.quietAbove || value >= ruleSet.quietBelow || time < this.evaluatedAt)
      return false;
    this.#numbers[this.#first + EVALUATED_AT] = time;
    if (!this.#ahead) {
      this.#ahead = true;
      this.becomeIdle();
    }
    this.observe(time);
    return true;
  }

  /** Returns the alert instances of the stream, and creates them if the stream is idle. */
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

  /** Must be called after alert instances were evaluated individually. */
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

  /** Replaces the rules and their alert instances, in the same order. */
  replaceInstances(ruleSet: RuleSet, instances: readonly AlertInstance[]): void {
    this.ruleSet = ruleSet;
    this.instances = instances;
    this.settle();
    this.becomeIdle();
  }

  /**
   * Makes the stream idle if all alert instances are inactive, have the same evaluated time and are not stored: a stored
   * one has to be deleted first.
   */
  becomeIdle(): void {
    if (!this.#quiet) return;
    for (const instance of this.instances)
      if (instance.stored || (!this.#ahead && instance.evaluatedAt !== this.evaluatedAt)) return;
    this.instances = NO_INSTANCES;
  }

  /** Records the time of a sample for the usual interval; ignores late samples. */
  observe(time: number): void {
    const numbers = this.#numbers;
    const first = this.#first;
    if (time <= (numbers[first + NEWEST] as number)) return;
    numbers[first + NEWEST] = time;
    numbers[first + TIMES + (this.#count % TIMES_KEPT)] = time;
    this.#count += 1;
  }

  /**
   * Moves all times by `by` ms after a step of the host’s clock. Evaluated times are limited to `until`, so that
   * samples are evaluated in the order of arrival.
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

  /** Returns the usual interval in ms, 0 while unknown. Computed on each call, since it is rarely needed. */
  usualIntervalMs(): number {
    const numbers = this.#numbers;
    const first = this.#first;
    const interval = new UsualInterval({ ms: numbers[first + SEED_MS] as number, lastTime: null });
    for (let i = Math.max(0, this.#count - TIMES_KEPT); i < this.#count; i += 1)
      interval.observe(numbers[first + TIMES + (i % TIMES_KEPT)] as number);
    return interval.ms;
  }
}
