import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The interval at which rounds of the event loop are measured, ms. */
const ROUND_MS = 1;

/** The max processor time of one round of the event loop, ms. */
export const MAX_ROUND_CPU_MS = 50;
/**
 * The max delay of a timer, ms. A process that others keep from running looks like one that blocks, so this only detects
 * long waits without processor use, such as for a file.
 */
export const MAX_DELAY_MS = 2_000;

/** The longest rounds of the event loop. */
export interface LongestRounds {
  /** The processor time of this thread in one round, ms, which does not depend on how busy the machine is. */
  cpuMs: number;
  /** The delay of timers, ms. */
  delayMs: number;
}

/** Watches the event loop of the calling thread until `stop`. */
export class EventLoopWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: ROUND_MS });
  readonly #timer: NodeJS.Timeout;
  #cpu = process.threadCpuUsage();
  #maxMs = 0;

  constructor() {
    this.#delay.enable();
    this.#timer = setInterval(() => this.#note(), ROUND_MS);
  }

  /** Returns the longest rounds since the last call, and starts measuring again from zero. */
  take(): LongestRounds {
    this.#note();
    const longest = { cpuMs: this.#maxMs, delayMs: this.#delay.max / 1e6 };
    this.#maxMs = 0;
    this.#delay.reset();
    return longest;
  }

  stop(): LongestRounds {
    clearInterval(this.#timer);
    this.#delay.disable();
    return this.take();
  }

  #note(): void {
    const { user, system } = process.threadCpuUsage();
    const ms = (user + system - this.#cpu.user - this.#cpu.system) / 1_000;
    this.#cpu = { user, system };
    this.#maxMs = Math.max(this.#maxMs, ms);
  }
}
