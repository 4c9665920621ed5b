import { parseStatus } from './container-status.ts';
import type { InspectedContainer, ListedContainer } from './engine-api.ts';

interface Known {
  /** The state at the inspection; empty if a later one failed. */
  state: string;
  ageSeconds: number;
  details: InspectedContainer;
}

/** Seconds by which the age of a container may differ from the time between two readings. */
const SLACK_SECONDS = 2;

/**
 * Inspects a container only when it is new, when its state changed, or when it started or ended since the previous reading;
 * its restarts cannot change otherwise.
 */
export class ContainerDetails {
  #known = new Map<string, Known>();
  #next = new Map<string, Known>();
  #readAt: number | undefined;
  #elapsedSeconds = 0;

  /** Begins a reading at `at`, in ms of a clock that never goes back; containers that are not asked for are forgotten. */
  begin(at: number): void {
    this.#elapsedSeconds = this.#readAt === undefined ? 0 : (at - this.#readAt) / 1_000;
    this.#readAt = at;
    this.#known = this.#next;
    this.#next = new Map();
  }

  /** The details of a container, by `inspect` if those that are known may be old; undefined if it fails and none are known. */
  async of(
    listed: ListedContainer,
    inspect: () => Promise<InspectedContainer>,
  ): Promise<InspectedContainer | undefined> {
    const { Id: id, State: state = '', Status: status = '' } = listed;
    const known = this.#known.get(id);
    const ageSeconds = parseStatus(status).ageSeconds ?? 0;
    const isSame =
      known?.state === state &&
      ageSeconds >= known.ageSeconds &&
      ageSeconds > this.#elapsedSeconds + SLACK_SECONDS;
    const details = isSame ? known.details : await inspect().catch(() => undefined);
    const kept = details ?? known?.details;
    if (kept !== undefined)
      this.#next.set(id, { state: details === undefined ? '' : state, ageSeconds, details: kept });
    return kept;
  }
}
