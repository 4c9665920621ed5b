import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { PairState } from '@tidewatch/domain/alerting/pair-state';
import type { CompiledRule } from '@tidewatch/domain/alerting/rule';
import type { LogPlace, SampleReference } from '@tidewatch/store/alerts/transitions';
import type { AlertTerms } from '@tidewatch/store/alerts/write';
import type { JudgedService } from './judged-service.ts';
import type { Stream } from './stream.ts';

const PHASES = [null, 'pending', 'firing', 'recovering'] as const;

/** Some bits of a pair's marks: the lowest of them, and their greatest value. */
interface Bits {
  readonly shift: number;
  readonly most: number;
}

const STORED: Bits = { shift: 0, most: 1 };
const DIRTY: Bits = { shift: 1, most: 1 };
const SHADOW: Bits = { shift: 2, most: 1 };
const NO_DATA: Bits = { shift: 3, most: 1 };
const PHASE: Bits = { shift: 4, most: 3 };
const SEVERITY: Bits = { shift: 6, most: 3 };
const MISSED: Bits = { shift: 8, most: 3 };
const FLAPS: Bits = { shift: 10, most: 0xf_ffff };
/** Of the marks, what is part of the state. */
const STATE_MARKS = ~7;

/**
 * Times are kept as distances from here, ms: as small integers, which take no memory of their own, for three weeks in
 * both directions.
 */
const BASE = Math.floor(performance.timeOrigin);

/**
 * One rule applied to one stream. Thousands may be active at once, so what it remembers is packed: its fields are of mixed
 * kinds on purpose, since V8 gives each number of a field that holds nothing but doubles an object of its own.
 */
export class Pair {
  rule: CompiledRule;
  readonly stream: Stream;
  /** The active alert; null while there is none. */
  alertId: string | null = null;
  /** The terms that the alert is stored with; null while there is none. */
  terms: AlertTerms | null = null;
  #marks = 0;
  #judgedAt: number | null = null;
  #storedAt: number | null = null;
  #pendingSince: number | null = null;
  #clearSince: number | null = null;
  #value: number | null = null;
  /** Null while pending, when it is the value. */
  #peakValue: number | null = null;
  /** When and by which value it fired; while pending, the sample that began that. */
  #begunAt: number | null = null;
  #begunValue: number | null = null;
  #begunPlace: LogPlace | null = null;
  #levels: PairState['levels'] = null;

  /** A pair that nothing is stored of; `judgedAt` as below. */
  constructor(stream: Stream, rule: CompiledRule, judgedAt: number) {
    this.stream = stream;
    this.rule = rule;
    this.judgedAt = judgedAt;
    this.storedAt = judgedAt;
  }

  get service(): JudgedService {
    return this.stream.service;
  }

  /** The time (ms) of the last judged sample, -Infinity before it. */
  get judgedAt(): number {
    return timeOf(this.#judgedAt) ?? Number.NEGATIVE_INFINITY;
  }

  set judgedAt(time: number) {
    this.#judgedAt = distanceOf(time);
  }

  /** `judgedAt` as the store has it, so that what did not change is not written. */
  get storedAt(): number {
    return timeOf(this.#storedAt) ?? Number.NEGATIVE_INFINITY;
  }

  set storedAt(time: number) {
    this.#storedAt = distanceOf(time);
  }

  /** Whether the store has a row of its state. */
  get stored(): boolean {
    return this.#read(STORED) === 1;
  }

  set stored(stored: boolean) {
    this.#mark(STORED, Number(stored));
  }

  /** Whether values of it wait to be stored. */
  get dirty(): boolean {
    return this.#read(DIRTY) === 1;
  }

  set dirty(dirty: boolean) {
    this.#mark(DIRTY, Number(dirty));
  }

  /** Whether its alert is of a rule that is only tried out: it touches no health and is told to nobody. */
  get shadow(): boolean {
    return this.#read(SHADOW) === 1;
  }

  set shadow(shadow: boolean) {
    this.#mark(SHADOW, Number(shadow));
  }

  /** What it is; null while it is inactive. Costs less than `state`. */
  get phase(): PairState['state'] | null {
    return PHASES[this.#read(PHASE)] ?? null;
  }

  /** The state as of now, made anew each time: changing what is answered changes nothing here. */
  get state(): PairState | null {
    const { phase } = this;
    if (phase === null) return null;
    const isPending = phase === 'pending';
    return {
      state: phase,
      pendingSince: timeOf(this.#pendingSince) ?? this.judgedAt,
      clearSince: timeOf(this.#clearSince),
      judgedAt: this.judgedAt,
      value: this.#value,
      peakValue: isPending ? this.#value : this.#peakValue,
      flapCount: this.#read(FLAPS),
      alertId: this.alertId,
      firedAt: isPending ? null : timeOf(this.#begunAt),
      valueAtFire: isPending ? null : this.#begunValue,
      severity: SEVERITIES[this.#read(SEVERITY)] ?? 'info',
      levels: this.#levels,
      noData: this.#read(NO_DATA) === 1,
      missed: this.#read(MISSED),
    };
  }

  /** Takes all of a state but its alert, which stays what it is. */
  set state(state: PairState | null) {
    this.#marks &= ~STATE_MARKS;
    if (state === null) {
      this.#pendingSince = this.#clearSince = this.#value = this.#peakValue = null;
      this.#begin(null, null, null);
      this.#levels = null;
      return;
    }
    const isPending = state.state === 'pending';
    this.#mark(PHASE, PHASES.indexOf(state.state));
    this.#mark(SEVERITY, SEVERITIES.indexOf(state.severity));
    this.#mark(NO_DATA, Number(state.noData));
    this.#mark(MISSED, state.missed);
    this.#mark(FLAPS, state.flapCount);
    this.#pendingSince = distanceOf(state.pendingSince);
    this.#clearSince = distanceOf(state.clearSince);
    this.#value = state.value;
    this.#peakValue = isPending ? null : state.peakValue;
    this.#levels = state.levels;
    if (state.judgedAt > this.judgedAt) this.judgedAt = state.judgedAt;
    if (!isPending) this.#begin(state.firedAt, state.valueAtFire, null);
  }

  /** The sample that began what is pending; null otherwise. */
  get opened(): SampleReference | null {
    if (this.phase !== 'pending' || this.#begunAt === null) return null;
    return { at: BASE + this.#begunAt, value: this.#begunValue, place: this.#begunPlace };
  }

  /** Only for what is pending. */
  set opened(sample: SampleReference | null) {
    if (this.phase === 'pending')
      this.#begin(sample?.at ?? null, sample?.value ?? null, sample?.place ?? null);
  }

  #begin(at: number | null, value: number | null, place: LogPlace | null): void {
    this.#begunAt = distanceOf(at);
    this.#begunValue = value;
    this.#begunPlace = place;
  }

  #read({ shift, most }: Bits): number {
    return (this.#marks >> shift) & most;
  }

  #mark({ shift, most }: Bits, value: number): void {
    this.#marks = (this.#marks & ~(most << shift)) | (Math.min(value, most) << shift);
  }
}

function timeOf(distance: number | null): number | null {
  return distance === null ? null : BASE + distance;
}

/** Only what went through a bitwise operation is sure to be a small integer for V8; null where there is no time. */
function distanceOf(time: number | null): number | null {
  if (time === null || time === Number.NEGATIVE_INFINITY) return null;
  const distance = time - BASE;
  return (distance | 0) === distance ? distance | 0 : distance;
}
