import type { Resolution } from '@tidewatch/contracts/alerts/alert';
import type { AlertInstance } from '../memory/alert-instance.ts';

interface Ending {
  instance: AlertInstance;
  resolution: Resolution;
}

/**
 * Queue of alert instances that are no longer evaluated and whose alerts end in later transactions, a limited number in
 * each. Each still owns its row of `rule_states`, so call `takeFormerOf` before another instance of the same rule and
 * subject begins.
 */
export class EndingInstances {
  readonly #waiting = new Map<string, Map<string, Ending>>();
  #hasTaken = false;

  get isEmpty(): boolean {
    return this.#waiting.size === 0;
  }

  /** Whether the queue is empty and everything taken from it is committed. */
  get isSettled(): boolean {
    return this.isEmpty && !this.#hasTaken;
  }

  /** Adds an alert instance to the queue, unless its state is already queued. */
  add(instance: AlertInstance, resolution: Resolution): void {
    const { organizationId } = instance.service;
    const own = this.#waiting.get(organizationId) ?? new Map<string, Ending>();
    this.#waiting.set(organizationId, own);
    const key = rowKey(instance);
    if (!own.has(key)) own.set(key, { instance, resolution });
  }

  /** Removes and returns at most `count` alert instances, divided equally between organizations. */
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
      // Moves the organization to the end of the turn.
      if (own.size > 0) this.#waiting.set(organizationId, own);
    }
    if (taken.length > 0) this.#hasTaken = true;
    return taken;
  }

  /**
   * Removes and returns the queued alert instance of the same rule and subject as the given one; undefined if there is
   * none.
   */
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
