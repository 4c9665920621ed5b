import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { AlertInstance } from '../memory/alert-instance.ts';

interface Ending {
  instance: AlertInstance;
  resolution: Resolution;
}

/**
 * Alert instances that are evaluated no longer and whose alerts are to be ended: so many of each organization in a transaction. Each has
 * a row of `rule_states`, which a later alert instance of the same rule and subject needs: `takeFormerOf` comes before that begins.
 */
export class EndingInstances {
  readonly #waiting = new Map<string, Map<string, Ending>>();
  #hasTaken = false;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether nothing waits, and nothing was taken that is not committed. */
  get isSettled(): boolean {
    return this.isEmpty && !this.#hasTaken;
  }

  /** Does nothing where the same state waits already. */
  add(instance: AlertInstance, resolution: Resolution): void {
    const { organizationId } = instance.service;
    const own = this.#waiting.get(organizationId) ?? new Map<string, Ending>();
    this.#waiting.set(organizationId, own);
    const key = rowKey(instance);
    if (!own.has(key)) own.set(key, { instance, resolution });
  }

  /** Takes out at most `count` alert instances, of each organization equally many where all have enough. */
  take(count: number): Ending[] {
    const share = Math.max(1, Math.floor(count / Math.max(1, this.#waiting.size)));
    const taken: Ending[] = [];
    for (const [organizationId, own] of [...this.#waiting]) {
      if (taken.length >= count) break;
      let left = share;
      for (const [key, ending] of own) {
        if (left-- === 0) break;
        own.delete(key);
        taken.push(ending);
      }
      this.#waiting.delete(organizationId);
      // Last in turn from now on.
      if (own.size > 0) this.#waiting.set(organizationId, own);
    }
    if (taken.length > 0) this.#hasTaken = true;
    return taken;
  }

  /** Takes out the alert instance whose row the given one is about to use; undefined where there is none. */
  takeFormerOf(instance: AlertInstance): Ending | undefined {
    if (this.isEmpty) return undefined;
    const { organizationId } = instance.service;
    const own = this.#waiting.get(organizationId);
    const key = rowKey(instance);
    const former = own?.get(key);
    if (own === undefined || former === undefined) return undefined;
    own.delete(key);
    if (own.size === 0) this.#waiting.delete(organizationId);
    this.#hasTaken = true;
    return former;
  }

  committed(): void {
    this.#hasTaken = false;
  }

  clear(): void {
    this.#waiting.clear();
    this.#hasTaken = false;
  }
}

function rowKey({ rule, service, stream: { subject } }: AlertInstance): string {
  return `${rule.id}/${service.serviceId}/${subject.kind}/${subject.name}`;
}
