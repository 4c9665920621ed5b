import type { Turn } from '@tidewatch/store/event-loop/turn';
import { changeAlert } from './evaluation/change-alert.ts';
import type { Evaluation } from './evaluation/evaluation.ts';
import type { AlertInstance } from './memory/alert-instance.ts';
import type { RuleSet } from './rules/rule-set.ts';

/** Values of active alerts are stored this often, ms, in a transaction that samples or heartbeats bring. */
const FLUSH_EVERY_MS = 500;
/** Where none comes they get one of their own after so long, ms. */
const FLUSH_ALONE_MS = 900;
/** When rules evaluated last is stored this often, ms: all processes write to the same rows. */
const ACTIVITY_EVERY_MS = 1_000;
/** What one flush stores at most; a storm makes values late, not transactions long. */
const MAX_FLUSHED = 2_000;
/** Where more waits than one flush stores, the next follows this soon, ms, whoever brings the transaction. */
const STORM_EVERY_MS = 300;
const NO_RULES: ReadonlyMap<string, string> = new Map();

/** What moved without a transition and is stored a little later, in the next transaction that is due to take it. */
export class WaitingValues {
  readonly instances = new Set<AlertInstance>();
  readonly #evaluated = new Map<string, string>();
  #flushedAt = 0;
  #activityAt = 0;
  /** Grows whenever the rules' activity was stored; a set of rules is noted once in each. */
  epoch = 0;

  get size(): number {
    return this.instances.size + this.#evaluated.size;
  }

  /** Whether something has waited for so long that it is to get a transaction of its own. */
  isOverdue(now: number): boolean {
    return (
      isTime(this.instances.size, this.#flushedAt, FLUSH_ALONE_MS, now) ||
      isTime(this.#evaluated.size, this.#activityAt, ACTIVITY_EVERY_MS + FLUSH_ALONE_MS, now)
    );
  }

  /** Makes the next flush due at once. */
  makeDue(): void {
    this.#flushedAt = 0;
    this.#activityAt = 0;
  }

  note = ({ rules }: RuleSet): void => {
    for (const rule of rules) this.#evaluated.set(rule.id, rule.organizationId);
  };

  /** Moves what is due into the changes; answers the rules that evaluated since that was last stored, with their organization. */
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
      // One whose state changed in this transaction may have moved on since, so its alert is staged again.
      const { state } = instance;
      if (!state) continue;
      evaluation.changes.instances.add(instance);
      changeAlert(evaluation, instance, state);
      if (turn.isOver) await turn.give();
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

/** Whether what waits is to be stored, so long after it last was. A clock that was set back tells nothing of how long that is. */
function isTime(waiting: number, last: number, everyMs: number, now: number): boolean {
  if (waiting === 0) return false;
  const passed = now - last;
  return passed < 0 || passed >= (waiting > MAX_FLUSHED ? STORM_EVERY_MS : everyMs);
}
