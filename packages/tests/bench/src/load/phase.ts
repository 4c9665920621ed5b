import { summarise } from '../measure/percentile.ts';
import type { PhaseResult } from './messages.ts';

/** Collects the durations of a phase's requests. Times are ms of `performance.now()`. */
export interface Phase {
  /** Records a request; `dueAt` is null if the load has no pace. */
  note(payloads: number, dueAt: number | null, sentAt: number, answeredAt: number): void;
  result(): PhaseResult;
  /** The number of payloads acknowledged in each second since the first request was sent. */
  perSecond(): number[];
}

export function createPhase(): Phase {
  const latencies: number[] = [];
  const fromPlan: number[] = [];
  const lags: number[] = [];
  let payloads = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  const answers: [at: number, payloads: number][] = [];
  return {
    note(count, dueAt, sentAt, answeredAt) {
      payloads += count;
      first = Math.min(first, sentAt);
      last = Math.max(last, answeredAt);
      latencies.push(answeredAt - sentAt);
      answers.push([answeredAt, count]);
      if (dueAt === null) return;
      fromPlan.push(answeredAt - Math.min(dueAt, sentAt));
      lags.push(Math.max(0, sentAt - dueAt));
    },
    result: () => ({
      seconds: payloads === 0 ? 0 : (last - first) / 1000,
      requests: latencies.length,
      payloads,
      latency: summarise(latencies),
      latencyFromPlan: fromPlan.length === 0 ? null : summarise(fromPlan),
      lag: lags.length === 0 ? null : summarise(lags),
    }),
    perSecond() {
      const seconds: number[] = new Array(payloads === 0 ? 0 : Math.floor((last - first) / 1000) + 1).fill(0);
      for (const [at, count] of answers) {
        const second = Math.floor((at - first) / 1000);
        seconds[second] = (seconds[second] ?? 0) + count;
      }
      return seconds;
    },
  };
}
