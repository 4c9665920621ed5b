import type { Turn } from '@tidewatch/store/event-loop/turn';
import { changeAlert } from '../evaluation/change-alert.ts';
import type { Evaluation } from '../evaluation/evaluation.ts';
import type { AlertInstance } from '../memory/alert-instance.ts';
import type { RuleSet } from '../rules/rule-set.ts';

/** Min interval of storing values of active alerts, in transactions of samples or heartbeats. */
const FLUSH_EVERY_MS = 500;
/** If no transaction has stored the values of active alerts for this time, a tick does. */
const FLUSH_ALONE_MS = 900;
/**
 * How often the time of the last evaluation of rules is stored; not more often, since all processes write the same rows.
 */
const ACTIVITY_EVERY_MS = 1_000;
/** Max number of values in one flush; in a storm, values are stored late instead of making transactions long. */
const MAX_FLUSHED = 2_000;
/** Interval of flushes while more values wait than one flush stores. */
const STORM_EVERY_MS = 300;
const NO_RULES: ReadonlyMap<string, string> = new Map();

/** Values that changed without a transition and are stored a little later, in the next transaction that is due. */
export class WaitingValues {
  readonly instances = new Set<AlertInstance>();
  readonly #evaluated = new Map<string, string>();
  #flushedAt = 0;
  #activityAt = 0;
  /** The number of flushes of rule activity so far; each set of rules is recorded once per flush. */
  epoch = 0;

  get size(): number {
    return this.instances.size + this.#evaluated.size;
  }

  /** Whether values have waited for so long that a tick has to store them. */
  isOverdue(now: number): boolean {
    return (
      isTime(this.instances.size, this.#flushedAt, FLUSH_ALONE_MS, now) ||
      isTime(this.#evaluated.size, this.#activityAt, ACTIVITY_EVERY_MS + FLUSH_ALONE_MS, now)
    );
  }

  /** The interval of flushes, ms, while more values wait than one flush stores; Infinity otherwise. */
  get stormEveryMs(): number {
    return this.instances.size > MAX_FLUSHED ? STORM_EVERY_MS : Number.POSITIVE_INFINITY;
  }

  /** Makes the next flush due at once. */
  makeDue(): void {
    this.#flushedAt = 0;
    this.#activityAt = 0;
  }

  note = ({ rules }: RuleSet): void => {
    for (const rule of rules) this.#evaluated.set(rule.id, rule.organizationId);
  };

  /** Stages the due values; returns the rules evaluated since the last flush, with their organization. */
  async take(evaluation: Evaluation, turn: Turn): Promise<ReadonlyMap<string, string>> {
    const { now } = evaluation;
    if (isTime(this.instances.size, this.#flushedAt, FLUSH_EVERY_MS, now))
      await this.#takeValues(evaluation, turn);
    const isActivityDue = isTime(this.#evaluated.size, this.#activityAt, ACTIVITY_EVERY_MS, now);
    return isActivityDue ? this.#takeActivity(now) : NO_RULES;
  }

  clear(): void {
    this.instances.clear();
    this.#evaluated.clear();
    this.epoch += 1;
  }

  async #takeValues(evaluation: Evaluation, turn: Turn): Promise<void> {
    this.#flushedAt = evaluation.now;
    let taken = 0;
    for (const instance of this.instances) {
      if (taken === MAX_FLUSHED) break;
      taken += 1;
      this.instances.delete(instance);
      instance.dirty = false;
      // Stages the alert again, because an instance whose state changed in this transaction may have got further values.
      const { state } = instance;
      if (!state) continue;
      evaluation.changes.instances.add(instance);
      changeAlert(evaluation, instance, state);
      if (turn.isOver) await turn.yieldWhenDue();
    }
  }

  #takeActivity(now: number): ReadonlyMap<string, string> {
    this.#activityAt = now;
    this.epoch += 1;
    const evaluated = new Map<string, string>();
    for (const [id, organizationId] of this.#evaluated) {
      if (evaluated.size === MAX_FLUSHED) break;
      this.#evaluated.delete(id);
      evaluated.set(id, organizationId);
    }
    return evaluated;
  }
}

/** Whether a flush is due. A clock that was set back makes it due at once. */
function isTime(waiting: number, last: number, everyMs: number, now: number): boolean {
  if (waiting === 0) return false;
  const passed = now - last;
  return passed < 0 || passed >= (waiting > MAX_FLUSHED ? STORM_EVERY_MS : everyMs);
}
