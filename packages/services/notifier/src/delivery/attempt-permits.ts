import type { Standing } from '@tidewatch/domain/notification/turns';
import { FairShare, type Holding } from '@tidewatch/runtime/sharing/fair-share';

/** Attempts that one process has under way at once, in all and of one organization. */
export const MAX_ATTEMPTS = 128;
export const MAX_ATTEMPTS_OF_ORGANIZATION = 24;
/** Of one organization to destinations that were never seen to answer: they may hang. */
export const MAX_UNPROVEN_OF_ORGANIZATION = 12;
/** To destinations that failed the last time, in all and of one organization. */
export const MAX_FAILING = 32;
export const MAX_FAILING_OF_ORGANIZATION = 6;
/** Of one channel. */
export const MAX_ATTEMPTS_OF_CHANNEL = 4;

/** A place that one attempt has until `release`. */
export interface Place {
  release(): void;
}

const UNCOUNTED = { maxWaitingPerOrganization: 0, maxWaitMs: 0 };

/**
 * The places of attempts, divided so that an organization whose destinations hang leaves room for others, and those that
 * hang leave room for those of the same organization that answer.
 */
export class Places {
  readonly #all = new FairShare({
    capacity: MAX_ATTEMPTS,
    maxPerOrganization: MAX_ATTEMPTS_OF_ORGANIZATION,
    ...UNCOUNTED,
  });
  readonly #unproven = new FairShare({
    capacity: MAX_ATTEMPTS,
    maxPerOrganization: MAX_UNPROVEN_OF_ORGANIZATION,
    ...UNCOUNTED,
  });
  readonly #failing = new FairShare({
    capacity: MAX_FAILING,
    maxPerOrganization: MAX_FAILING_OF_ORGANIZATION,
    ...UNCOUNTED,
  });
  readonly #byChannel = new Map<string, number>();

  /** As many places as are free for the channel now, none where there are none. `name` is the channel's. */
  take(organizationId: string, name: string, standing: Standing): Place[] {
    const places: Place[] = [];
    for (
      let place = this.#takeOne(organizationId, name, standing);
      place !== null;
      place = this.#takeOne(organizationId, name, standing)
    )
      places.push(place);
    return places;
  }

  #takeOne(organizationId: string, name: string, standing: Standing): Place | null {
    const underWay = this.#byChannel.get(name) ?? 0;
    if (underWay >= MAX_ATTEMPTS_OF_CHANNEL) return null;
    const holding = this.#all.tryTake(organizationId, 1);
    if (holding === undefined) return null;
    let second: Holding | undefined;
    if (standing !== 'proven') {
      second = (standing === 'failing' ? this.#failing : this.#unproven).tryTake(organizationId, 1);
      if (second === undefined) {
        holding.release();
        return null;
      }
    }
    this.#byChannel.set(name, underWay + 1);
    return {
      release: () => {
        second?.release();
        holding.release();
        const left = (this.#byChannel.get(name) ?? 1) - 1;
        if (left === 0) this.#byChannel.delete(name);
        else this.#byChannel.set(name, left);
      },
    };
  }
}
