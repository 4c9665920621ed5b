import type { ServiceState } from '../cache/service-state.ts';

/** Payloads in the order they came, by column: a list of objects would hold each number in one of its own. */
export class Heard {
  length = 0;
  /** Whether a payload was of a service without a live row. */
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

  /** Tells each service what its payloads said, but those that `leftOut` names. */
  tell(leftOut: (state: ServiceState) => boolean, told: (state: ServiceState) => void): void {
    for (let index = 0; index < this.length; index++) {
      const state = this.states[index] as ServiceState;
      if (leftOut(state)) continue;
      state.seen(this.receivedAt[index] as number, this.times[index] as number);
      told(state);
    }
  }
}
