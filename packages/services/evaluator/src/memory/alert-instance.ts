import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import { type AlertInstanceState, shiftedLevels } from '@tidewatch/domain/alerting/alert-instance-state';
import type { CompiledRule } from '@tidewatch/domain/rules/rule';
import type { SampleReference } from '@tidewatch/store/alerts/transitions';
import type { AlertTerms } from '@tidewatch/store/alerts/write';
import {
  type ActiveRows,
  ALERT,
  ALERT_APART,
  BEGUN_AT,
  BEGUN_VALUE,
  CLEAR_SINCE,
  NOTHING,
  PEAK_VALUE,
  PENDING_SINCE,
  type Reference,
  VALUE,
} from './active-rows.ts';
import {
  type Bits,
  bitsOf,
  DIRTY,
  FLAPS,
  KEPT,
  MISSED,
  NO_DATA,
  PHASE,
  PHASES,
  REFERENCE,
  SEVERITY,
  SHADOW,
  STORED,
  UNCONFIRMED,
  withBits,
} from './instance-marks.ts';
import type { MonitoredHost } from './monitored-host.ts';
import { distanceOf, timeOf } from './near-time.ts';

const NO_ROW = -1;

/** The parts of a stream that its alert instances use. */
export interface InstanceStream {
  readonly service: MonitoredHost;
  readonly subject: Subject;
  readonly metric: string;
  readonly key: string;
  becomeIdle(): void;
}

/**
 * One rule applied to one stream. While it is active, its state is in a row of its host's `rows`, because thousands may be
 * active at once. Fields hold no plain doubles and methods are `private` instead of `#`, because both would cost memory for
 * each instance.
 */
export class AlertInstance {
  rule: CompiledRule;
  readonly stream: InstanceStream;
  /** The version and thresholds that the alert was stored with; null without an alert. */
  terms: AlertTerms | null = null;
  #marks = 0;
  #evaluatedAt: number | null = null;
  #storedAt: number | null = null;
  #row = NO_ROW;

  /** Creates an alert instance without stored state. */
  constructor(stream: InstanceStream, rule: CompiledRule, evaluatedAt: number) {
    this.stream = stream;
    this.rule = rule;
    this.evaluatedAt = evaluatedAt;
    this.storedAt = evaluatedAt;
  }

  get service(): MonitoredHost {
    return this.stream.service;
  }

  /** Time (ms) of the last evaluated sample, -Infinity before the first. */
  get evaluatedAt(): number {
    return timeOf(this.#evaluatedAt) ?? Number.NEGATIVE_INFINITY;
  }

  set evaluatedAt(time: number) {
    this.#evaluatedAt = distanceOf(time);
  }

  /** The stored value of `evaluatedAt`, with which it is decided whether to write it. */
  get storedAt(): number {
    return timeOf(this.#storedAt) ?? Number.NEGATIVE_INFINITY;
  }

  set storedAt(time: number) {
    this.#storedAt = distanceOf(time);
  }

  /** Whether the state of the alert instance is stored. */
  get stored(): boolean {
    return bitsOf(this.#marks, STORED) === 1;
  }

  set stored(stored: boolean) {
    this.mark(STORED, Number(stored));
  }

  /** Whether changed values of the alert instance wait to be written. */
  get dirty(): boolean {
    return bitsOf(this.#marks, DIRTY) === 1;
  }

  set dirty(dirty: boolean) {
    this.mark(DIRTY, Number(dirty));
  }

  /** Whether the alert belongs to a shadow rule, so that it changes no health and emits no event. */
  get shadow(): boolean {
    return bitsOf(this.#marks, SHADOW) === 1;
  }

  set shadow(shadow: boolean) {
    this.mark(SHADOW, Number(shadow));
  }

  /** Whether an old sample fired the alert and no fresh sample has confirmed it, so that nobody is notified. */
  get unconfirmed(): boolean {
    return bitsOf(this.#marks, UNCONFIRMED) === 1;
  }

  set unconfirmed(unconfirmed: boolean) {
    this.mark(UNCONFIRMED, Number(unconfirmed));
  }

  /** The state alone, without its values and cheaper than `state`; null while inactive. */
  get phase(): AlertInstanceState['state'] | null {
    return PHASES[bitsOf(this.#marks, PHASE)] ?? null;
  }

  /** Id of the active alert; null without one. */
  get alertId(): string | null {
    return this.#row === NO_ROW ? null : this.rows.alert(this.#row, this.reference);
  }

  set alertId(id: string | null) {
    if (id !== null) this.reference = this.rows.setAlert(this.ownRow(), id);
    else if (this.hasAlert) {
      this.reference = NOTHING;
      if (this.phase === null) this.forget();
    }
  }

  /** Returns a copy of the state. */
  get state(): AlertInstanceState | null {
    const { phase } = this;
    if (phase === null) return null;
    const row = this.#row;
    const rows = this.rows;
    const isPending = phase === 'pending';
    const value = rows.number(row, VALUE);
    return {
      state: phase,
      pendingSince: rows.number(row, PENDING_SINCE) ?? this.evaluatedAt,
      clearSince: rows.number(row, CLEAR_SINCE),
      evaluatedAt: this.evaluatedAt,
      value,
      peakValue: isPending ? value : rows.number(row, PEAK_VALUE),
      flapCount: bitsOf(this.#marks, FLAPS),
      firedAt: isPending ? null : rows.number(row, BEGUN_AT),
      valueAtFire: isPending ? null : rows.number(row, BEGUN_VALUE),
      severity: SEVERITIES[bitsOf(this.#marks, SEVERITY)] ?? 'info',
      levels: rows.levels(row),
      noData: bitsOf(this.#marks, NO_DATA) === 1,
      missed: bitsOf(this.#marks, MISSED),
    };
  }

  set state(state: AlertInstanceState | null) {
    const former = this.phase;
    this.#marks &= KEPT;
    if (state === null) {
      if (!this.hasAlert) this.forget();
      return;
    }
    const rows = this.rows;
    const row = this.ownRow();
    const isPending = state.state === 'pending';
    this.mark(PHASE, PHASES.indexOf(state.state));
    this.mark(SEVERITY, SEVERITIES.indexOf(state.severity));
    this.mark(NO_DATA, Number(state.noData));
    this.mark(MISSED, state.missed);
    this.mark(FLAPS, state.flapCount);
    rows.setNumber(row, PENDING_SINCE, state.pendingSince);
    rows.setNumber(row, CLEAR_SINCE, state.clearSince);
    rows.setNumber(row, VALUE, state.value);
    rows.setNumber(row, PEAK_VALUE, isPending ? null : state.peakValue);
    rows.setLevels(row, state.levels);
    if (state.evaluatedAt > this.evaluatedAt) this.evaluatedAt = state.evaluatedAt;
    if (!isPending) this.begin(state.firedAt, state.valueAtFire);
    else if (former !== 'pending') this.begin(null, null);
  }

  /** The sample that began the pending state; null in any other state. */
  get opened(): SampleReference | null {
    if (this.phase !== 'pending') return null;
    const at = this.rows.number(this.#row, BEGUN_AT);
    if (at === null) return null;
    const value = this.rows.number(this.#row, BEGUN_VALUE);
    return { at, value, place: this.rows.place(this.#row, this.reference) };
  }

  /** Sets the sample that began the pending state; ignored in other states. An earlier alert must have ended. */
  set opened(sample: SampleReference | null) {
    if (this.phase !== 'pending') return;
    this.begin(sample?.at ?? null, sample?.value ?? null);
    if (sample?.place && !this.hasAlert) this.reference = this.rows.setPlace(this.#row, sample.place);
  }

  /** Moves the times of the alert instance by `by` ms and limits `evaluatedAt` to `until`. `firedAt` stays as recorded. */
  shift(by: number, until: number): void {
    this.evaluatedAt = Math.min(this.evaluatedAt + by, until);
    if (this.phase === null) return;
    const rows = this.rows;
    const row = this.#row;
    for (const place of [PENDING_SINCE, CLEAR_SINCE]) {
      const time = rows.number(row, place);
      if (time !== null) rows.setNumber(row, place, time + by);
    }
    const levels = rows.levels(row);
    if (levels !== null) rows.setLevels(row, shiftedLevels(levels, by));
  }

  /** Releases the row with state and alert. */
  forget(): void {
    this.#marks &= KEPT;
    this.reference = NOTHING;
    if (this.#row === NO_ROW) return;
    this.rows.giveBack(this.#row);
    this.#row = NO_ROW;
  }

  /** Sets time and value at which the alert fired, or (while pending) of the first breaching sample. */
  private begin(at: number | null, value: number | null): void {
    this.rows.setNumber(this.#row, BEGUN_AT, at);
    this.rows.setNumber(this.#row, BEGUN_VALUE, value);
    if (!this.hasAlert) this.reference = NOTHING;
  }

  private get rows(): ActiveRows {
    return this.stream.service.rows;
  }

  private ownRow(): number {
    if (this.#row === NO_ROW) this.#row = this.rows.take();
    return this.#row;
  }

  private get hasAlert(): boolean {
    const reference = this.reference;
    return reference === ALERT || reference === ALERT_APART;
  }

  /** The kind of reference that the row holds. */
  private get reference(): Reference {
    return bitsOf(this.#marks, REFERENCE) as Reference;
  }

  private set reference(reference: Reference) {
    this.mark(REFERENCE, reference);
  }

  private mark(bits: Bits, value: number): void {
    this.#marks = withBits(this.#marks, bits, value);
  }
}
