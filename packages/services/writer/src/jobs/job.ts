import { createRounds, type Rounds } from '@tidewatch/runtime/process/rounds';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { WriterMeters } from '../writer-metrics.ts';

export interface JobReports {
  meters: Pick<WriterMeters, 'jobFailures' | 'jobFailing'>;
  logger: Pick<Logger, 'warn'>;
}

/** Returns what counts and logs each failure of a job. */
export function failuresOf(job: string, { meters, logger }: JobReports): (error: unknown) => void {
  meters.jobFailures.inc({ job }, 0); // exists from the start, so that the first failure is an increase
  return (error) => {
    meters.jobFailures.inc({ job });
    logger.warn({ err: error, job }, 'a background job failed; retrying');
  };
}

export interface JobOptions extends JobReports {
  /** The name of the job in metrics and log lines. */
  name: string;
  /** Runs a round and returns the pause after it, ms; calls `works` when the job works before the end of a long round. */
  round(works: () => void): Promise<number>;
  minRetryMs: number;
  maxRetryMs: number;
}

/** Creates a job, whose rounds run one after the other. Its metric shows whether the last round failed. */
export function createJob({ name, round, minRetryMs, maxRetryMs, ...reports }: JobOptions): Rounds {
  const failed = failuresOf(name, reports);
  const show = (isFailing: 0 | 1) => reports.meters.jobFailing.set({ job: name }, isFailing);
  const works = () => show(0);
  works();
  return createRounds({
    async round() {
      const pauseMs = await round(works);
      works();
      return pauseMs;
    },
    onFailure(error) {
      show(1);
      failed(error);
    },
    minPauseMs: minRetryMs,
    maxPauseMs: maxRetryMs,
  });
}
