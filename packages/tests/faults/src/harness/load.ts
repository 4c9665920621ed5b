import type { GeneratorResult } from '@tidewatch/bench/load/messages';
import type { Plan } from '@tidewatch/bench/load/plan';
import { type RunningGenerator, startGenerator } from '@tidewatch/bench/load/start-generator';

/** A load whose samples are all known, sent until it is stopped; each request is retried until it is accepted. */
export interface Load {
  plan: Plan;
  /** Returns the number of payloads that were acknowledged since the start. */
  acknowledged(): number;
  /** Pauses the load: no request starts until `thaw`. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<GeneratorResult>;
  /** Ends the load without a result if it still runs. */
  kill(): void;
}

const HOSTS = 100;
const STEP_MS = 10_000;
/** The rate of the load, samples a second. */
const RATE = 6_000;
const METRICS = 10;
/** The max duration of a case, ms; the plan of the load has payloads for this time. */
const MAX_MS = 420_000;

/** Starts to send to a gateway. Sample times are in the past, ten seconds of a host's time for each tenth of a second. */
export function startLoad(url: string, key: string, seed: number, now: number): Load {
  const ticks = Math.ceil(((MAX_MS / 1_000) * RATE) / METRICS / HOSTS);
  const plan: Plan = {
    seed,
    hosts: HOSTS,
    metrics: METRICS,
    stepMs: STEP_MS,
    ticks,
    startMs: Math.floor(now / STEP_MS) * STEP_MS - ticks * STEP_MS,
    connections: 8,
    payloadsPerRequest: 10,
    paced: false,
    rich: false,
    parts: 0,
  };
  const generator: RunningGenerator = startGenerator({
    plan,
    url,
    key,
    seconds: null,
    rate: RATE,
    warmUpTicks: 0,
  });
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(generator.pid, name);
    } catch {
      // Ends here once the whole plan was sent or the load was stopped.
    }
  };
  return {
    plan,
    acknowledged: generator.progress,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop() {
      signal('SIGCONT');
      generator.stop();
      return generator.result;
    },
    kill: () => signal('SIGKILL'),
  };
}
