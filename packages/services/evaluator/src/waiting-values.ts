import { changeAlert, type Judging } from './judging/apply-verdict.ts';
import type { Pair } from './memory/pair.ts';
import type { RuleSet } from './rules/rule-set.ts';

/** Values of active alerts, and the rules' last activity, are stored this often, ms. */
const FLUSH_EVERY_MS = 300;
/** What one flush stores at most; a storm makes values late, not transactions long. */
const MOST_FLUSHED = 2_000;

/** What moved without a transition and is stored a little later, in the next transaction that is due to take it. */
export class WaitingValues {
  readonly pairs = new Set<Pair>();
  readonly #evaluated = new Map<string, string>();
  #flushedAt = 0;
  /** Grows with every flush; a set of rules is noted once in each. */
  epoch = 0;

  get size(): number {
    return this.pairs.size + this.#evaluated.size;
  }

  isDue(now: number): boolean {
    return now - this.#flushedAt >= FLUSH_EVERY_MS;
  }

  /** Makes the next flush due at once. */
  hurry(): void {
    this.#flushedAt = 0;
  }

  note = ({ rules }: RuleSet): void => {
    for (const rule of rules) this.#evaluated.set(rule.id, rule.organizationId);
  };

  /** Moves waiting values into the changes; answers the rules that judged since the last flush, with their organization. */
  take(judging: Judging): Map<string, string> {
    this.#flushedAt = judging.now;
    this.epoch += 1;
    let taken = 0;
    for (const pair of this.pairs) {
      if (taken === MOST_FLUSHED) break;
      taken += 1;
      this.pairs.delete(pair);
      pair.dirty = false;
      // One whose state changed in this transaction may have moved on since, so its alert is staged again.
      const { state } = pair;
      if (!state) continue;
      judging.changes.pairs.add(pair);
      changeAlert(judging, pair, state);
    }
    const evaluated = new Map<string, string>();
    for (const [id, organizationId] of this.#evaluated) {
      if (evaluated.size === MOST_FLUSHED) break;
      this.#evaluated.delete(id);
      evaluated.set(id, organizationId);
    }
    return evaluated;
  }

  clear(): void {
    this.pairs.clear();
    this.#evaluated.clear();
    this.epoch += 1;
  }
}
