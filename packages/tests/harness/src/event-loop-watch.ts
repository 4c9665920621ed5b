import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Rounds of the event loop are told apart this often, ms. */
const ROUND_MS = 1;

/** What the longest rounds of the event loop took. */
export interface LongestRounds {
  /**
   * Processor time of this thread in one round, ms: what the code takes, however busy the machine is. The bound to
   * assert.
   */
  cpuMs: number;
  /** How late timers were, ms: longer where the machine runs other processes meanwhile, so its bound must be wide. */
  delayMs: number;
}

/** Watches the event loop of the calling thread until `stop`. */
export class EventLoopWatch {
  readonly #delay = monitorEventLoopDelay({ resolution: ROUND_MS });
  readonly #timer: NodeJS.Timeout;
  #cpu = process.threadCpuUsage();
  #longestMs = 0;

  constructor() {
    this.#delay.enable();
    this.#timer = setInterval(() => this.#note(), ROUND_MS);
  }

  /** The longest rounds so far; what comes from now on is counted anew. */
  take(): LongestRounds {
    this.#note();
    const longest = { cpuMs: this.#longestMs, delayMs: this.#delay.max / 1e6 };
    this.#longestMs = 0;
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
    this.#longestMs = Math.max(this.#longestMs, ms);
  }
}
