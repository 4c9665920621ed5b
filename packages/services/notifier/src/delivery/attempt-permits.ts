import type { Standing } from '@tidewatch/domain/notification/turns';
import { FairShare, type Holding } from '@tidewatch/runtime/sharing/fair-share';

/** Max number of concurrent attempts of one process, in all and of one organization. */
export const MAX_ATTEMPTS = 128;
export const MAX_ATTEMPTS_OF_ORGANIZATION = 24;
/** Max attempts of one organization at once to destinations that never answered before, since they may hang. */
export const MAX_UNPROVEN_OF_ORGANIZATION = 12;
/** Max concurrent attempts to destinations whose last attempt failed, in all and of one organization. */
export const MAX_FAILING = 32;
export const MAX_FAILING_OF_ORGANIZATION = 6;
/** Max concurrent attempts to one channel. */
export const MAX_ATTEMPTS_OF_CHANNEL = 4;

/** The right to make one attempt, held until `release`. */
export interface Permit {
  release(): void;
}

const NO_WAITING = { maxWaitingPerOrganization: 0, maxWaitMs: 0 };

/**
 * Limits concurrent attempts, so that hanging destinations of an organization leave permits for other organizations and
 * for its own destinations that answer.
 */
export class AttemptPermits {
  readonly #all = new FairShare({
    capacity: MAX_ATTEMPTS,
    maxPerOrganization: MAX_ATTEMPTS_OF_ORGANIZATION,
    ...NO_WAITING,
  });
  readonly #unproven = new FairShare({
    capacity: MAX_ATTEMPTS,
    maxPerOrganization: MAX_UNPROVEN_OF_ORGANIZATION,
    ...NO_WAITING,
  });
  readonly #failing = new FairShare({
    capacity: MAX_FAILING,
    maxPerOrganization: MAX_FAILING_OF_ORGANIZATION,
    ...NO_WAITING,
  });
  readonly #byChannel = new Map<string, number>();

  /** Takes all permits that are free for the channel now, possibly none. `name` identifies the channel. */
  take(organizationId: string, name: string, standing: Standing): Permit[] {
    const permits: Permit[] = [];
    for (
      let permit = this.#takeOne(organizationId, name, standing);
      permit !== null;
      permit = this.#takeOne(organizationId, name, standing)
    )
      permits.push(permit);
    return permits;
  }

  #takeOne(organizationId: string, name: string, standing: Standing): Permit | null {
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
