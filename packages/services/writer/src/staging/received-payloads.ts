import type { ServiceState } from '../cache/service-state.ts';

/** Received payloads in order, stored as columns, because a list of objects would need more memory. */
export class ReceivedPayloads {
  length = 0;
  /** Whether a payload belongs to a service without a live row. */
  hasNew = false;
  readonly states: ServiceState[] = [];
  /** ms */
  readonly receivedAt: number[] = [];
  /** ms */
  readonly times: number[] = [];

  add(state: ServiceState, receivedAt: number, time: number): void {
    const index = this.length++;
    this.states[index] = state;
    this.receivedAt[index] = receivedAt;
    this.times[index] = time;
    if (!state.stored) this.hasNew = true;
  }

  clear(): void {
    this.length = 0;
    this.hasNew = false;
    this.states.length = 0;
    this.receivedAt.length = 0;
    this.times.length = 0;
  }

  /** Updates each service by its payloads, except those for which `isLeftOut`; calls `updated` after each payload. */
  updateServices(isLeftOut: (state: ServiceState) => boolean, updated: (state: ServiceState) => void): void {
    for (let index = 0; index < this.length; index++) {
      const state = this.states[index] as ServiceState;
      if (isLeftOut(state)) continue;
      state.seen(this.receivedAt[index] as number, this.times[index] as number);
      updated(state);
    }
  }
}
