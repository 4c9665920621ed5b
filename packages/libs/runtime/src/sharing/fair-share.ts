import { FairShareError, type ShareRefusal } from './fair-share-error.ts';

export interface FairShareOptions {
  /** The max number of units that all organizations hold together. */
  capacity: number;
  /** The max number of units that one organization may hold. */
  maxPerOrganization: number;
  /** The number of units that organizations holding more than `smallShare` must together leave free. Default: none. */
  reserve?: number;
  /** The max number of units that an organization may hold and still use the reserve. Default: none. */
  smallShare?: number;
  /** The max number of waiting calls of `take` of one organization; with 0, no call waits. */
  maxWaitingPerOrganization: number;
  /** The max time that a call of `take` waits, ms. */
  maxWaitMs: number;
}

/** Granted units, until `release`. */
export interface Holding {
  readonly units: number;
  /** Gives back all but `units`; does nothing if no more than that are held. */
  shrinkTo(units: number): void;
  /** Gives back all held units. Further calls do nothing. */
  release(): void;
}

export interface FairShareCounters {
  /** Units held now. */
  heldUnits: number;
  /** Calls of `take` that wait now. */
  waiting: number;
  /** Organizations that hold or wait now. */
  organizations: number;
  /** Refusals since the start. */
  refused: Record<ShareRefusal, number>;
}

interface Waiter {
  readonly organizationId: string;
  readonly units: number;
  /** How often other requests were served since this one has only waited for free capacity. */
  passedBy: number;
  grant(): void;
}

/** The number of times that smaller requests may overtake a waiter before units are reserved for it. */
const MAX_PASSED_BY = 32;

/**
 * Divides units of a limited resource (bytes, connections, turns of a thread) between organizations:
 * - Each organization holds at most its share, and all of them at most the capacity.
 * - Organizations that hold more than a small share leave a reserve free, which only others use.
 * - Waiting requests are served round robin between organizations, first come first served within one.
 * - A large request may be overtaken 32 times; then all units that become free are kept for it, for at most `maxWaitMs`.
 * - An organization without holdings or waiting requests takes no memory.
 */
export class FairShare {
  readonly #options: Required<FairShareOptions>;
  readonly #heldBy = new Map<string, number>();
  /** Waiting requests by organization, in the order of turns: an organization that receives units moves to the end. */
  readonly #queues = new Map<string, Set<Waiter>>();
  readonly #refused: Record<ShareRefusal, number> = { organization_full: 0, timeout: 0, full: 0, aborted: 0 };
  #held = 0;
  #waiting = 0;
  /** The first request in the order of turns that waits only for free capacity. */
  #next: Waiter | null = null;

  constructor(options: FairShareOptions) {
    this.#options = { reserve: 0, smallShare: 0, ...options };
  }

  /**
   * Takes units at once; undefined if they do not fit, or if other requests of the organization wait already. `isFinal` is
   * false if `take` calls this and will wait, so that no refusal is counted.
   */
  tryTake(organizationId: string, units: number, { isFinal = true } = {}): Holding | undefined {
    assertUnits(units);
    const holding = this.#takeNow(organizationId, units);
    if (holding === undefined && isFinal) {
      this.#refused[this.isOrganizationFull(organizationId, units) ? 'organization_full' : 'full'] += 1;
    }
    return holding;
  }

  /**
   * Takes units at once like `tryTake`, without creating a holding, for hot paths; returns whether they are held. They must
   * be given back by `giveBack`, in one or more calls.
   */
  tryHold(organizationId: string, units: number): boolean {
    assertUnits(units);
    if (!this.#mayTakeNow(organizationId, units)) return false;
    this.#add(organizationId, units);
    return true;
  }

  /** Gives back units that `tryHold` took. */
  giveBack(organizationId: string, units: number): void {
    this.#add(organizationId, -units);
    if (this.#waiting > 0) this.#giveTurns();
  }

  /**
   * Takes units once it is the organization's turn. Rejects with a `FairShareError`, or with the reason of `signal`, whose
   * abort removes the request from the queue.
   */
  async take(organizationId: string, units: number, signal?: AbortSignal): Promise<Holding> {
    assertUnits(units);
    if (signal?.aborted === true) {
      this.#refused.aborted += 1;
      throw signal.reason;
    }
    const holding = this.#takeNow(organizationId, units);
    return holding ?? this.#wait(organizationId, units, signal);
  }

  /** Returns true if `units` are refused because of the organization's own share or queue, not because others use units. */
  isOrganizationFull(organizationId: string, units: number): boolean {
    const first = this.#queues.get(organizationId)?.values().next().value;
    return !this.#fitsShare(organizationId, first?.units ?? units) || !this.#fitsShare(organizationId, units);
  }

  counters(): FairShareCounters {
    const organizations = new Set([...this.#heldBy.keys(), ...this.#queues.keys()]).size;
    return {
      heldUnits: this.#held,
      waiting: this.#waiting,
      organizations,
      refused: { ...this.#refused },
    };
  }

  #fitsShare(organizationId: string, units: number): boolean {
    return (this.#heldBy.get(organizationId) ?? 0) + units <= this.#options.maxPerOrganization;
  }

  #fitsCapacity(organizationId: string, units: number): boolean {
    const { capacity, reserve } = this.#options;
    const left = capacity - this.#held - units;
    return left >= reserve || (left >= 0 && this.#mayUseReserve(organizationId, units));
  }

  #mayUseReserve(organizationId: string, units: number): boolean {
    return (this.#heldBy.get(organizationId) ?? 0) + units <= this.#options.smallShare;
  }

  /**
   * Whether free units are reserved for a waiting request that was overtaken too often; never true for an organization that
   * may use the reserve.
   */
  #isKeptFrom(organizationId: string, units: number): boolean {
    return (
      this.#next !== null &&
      this.#next.passedBy >= MAX_PASSED_BY &&
      !this.#mayUseReserve(organizationId, units)
    );
  }

  #takeNow(organizationId: string, units: number): Holding | undefined {
    return this.#mayTakeNow(organizationId, units) ? this.#hold(organizationId, units) : undefined;
  }

  #mayTakeNow(organizationId: string, units: number): boolean {
    if (this.#waiting > 0 && this.#queues.has(organizationId)) return false;
    if (!this.#fitsShare(organizationId, units) || !this.#fitsCapacity(organizationId, units)) return false;
    if (this.#isKeptFrom(organizationId, units)) return false;
    if (this.#next !== null) this.#next.passedBy += 1;
    return true;
  }

  #add(organizationId: string, units: number): void {
    this.#held += units;
    const held = (this.#heldBy.get(organizationId) ?? 0) + units;
    if (held > 0) this.#heldBy.set(organizationId, held);
    else this.#heldBy.delete(organizationId);
  }

  #hold(organizationId: string, units: number): Holding {
    let held = units;
    this.#add(organizationId, units);
    const shrinkTo = (left: number) => {
      if (left >= held) return;
      this.#add(organizationId, left - held);
      held = left;
      this.#giveTurns();
    };
    return {
      get units() {
        return held;
      },
      shrinkTo: (left) => {
        if (!(left >= 0)) throw new RangeError(`The number of units to keep must be 0 or more, not ${left}.`);
        shrinkTo(left);
      },
      release: () => shrinkTo(0),
    };
  }

  #wait(organizationId: string, units: number, signal: AbortSignal | undefined): Promise<Holding> {
    const { capacity, maxPerOrganization, maxWaitingPerOrganization, maxWaitMs } = this.#options;
    const { reserve, smallShare } = this.#options;
    const queue = this.#queues.get(organizationId) ?? new Set<Waiter>();
    const neverFits = units > Math.min(Math.max(capacity - reserve, smallShare), maxPerOrganization);
    if (neverFits || queue.size >= maxWaitingPerOrganization) {
      this.#refused.organization_full += 1;
      return Promise.reject(new FairShareError('organization_full'));
    }
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        this.#remove(waiter);
      };
      const waiter: Waiter = {
        organizationId,
        units,
        passedBy: 0,
        grant: () => {
          settle();
          resolve(this.#hold(organizationId, units));
        },
      };
      const onAbort = () => {
        settle();
        this.#refused.aborted += 1;
        reject(signal?.reason);
        this.#giveTurns();
      };
      const timer = setTimeout(() => {
        const code = this.isOrganizationFull(organizationId, units) ? 'organization_full' : 'timeout';
        settle();
        this.#refused[code] += 1;
        reject(new FairShareError(code));
        this.#giveTurns();
      }, maxWaitMs);
      signal?.addEventListener('abort', onAbort, { once: true });
      queue.add(waiter);
      this.#queues.set(organizationId, queue);
      this.#waiting += 1;
      this.#giveTurns();
    });
  }

  #remove(waiter: Waiter): void {
    const queue = this.#queues.get(waiter.organizationId);
    if (queue?.delete(waiter) !== true) return;
    this.#waiting -= 1;
    if (this.#next === waiter) this.#next = null;
    if (queue.size === 0) this.#queues.delete(waiter.organizationId);
  }

  /** Gives the free units to waiting requests, one request of each organization in turn. */
  #giveTurns(): void {
    if (this.#next !== null && !this.#fitsShare(this.#next.organizationId, this.#next.units))
      this.#next = null;
    if (this.#next !== null && this.#fitsCapacity(this.#next.organizationId, this.#next.units))
      this.#giveTurn(this.#next);
    // An organization that received units moves to the end of the map, where this loop visits it again.
    for (const [organizationId, queue] of this.#queues) {
      const waiter = queue.values().next().value as Waiter;
      if (!this.#fitsShare(organizationId, waiter.units)) continue;
      if (this.#next !== waiter && this.#isKeptFrom(organizationId, waiter.units)) continue;
      if (this.#fitsCapacity(organizationId, waiter.units)) this.#giveTurn(waiter);
      else this.#next ??= waiter;
    }
  }

  #giveTurn(waiter: Waiter): void {
    const { organizationId } = waiter;
    waiter.grant();
    if (this.#next !== null) this.#next.passedBy += 1;
    const rest = this.#queues.get(organizationId);
    if (rest === undefined) return;
    this.#queues.delete(organizationId);
    this.#queues.set(organizationId, rest);
  }
}

function assertUnits(units: number): void {
  if (!(units > 0)) throw new RangeError(`The number of units must be more than 0, not ${units}.`);
}
