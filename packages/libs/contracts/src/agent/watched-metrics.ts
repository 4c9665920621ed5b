/** The metrics of a Tidewatch process that an agent watches, by their meaning. */
export const WATCHED = {
  writerLag: 'tidewatch_writer_lag_seconds',
  evaluatorLag: 'tidewatch_evaluator_lag_seconds',
  notificationsOldest: 'tidewatch_notifications_oldest_seconds',
  deadLetters: 'tidewatch_dead_letters_total',
  jobFailures: 'tidewatch_writer_job_failures_total',
  started: 'process_start_time_seconds',
} as const;

/** The names of all metrics that an agent watches. */
export const WATCHED_METRICS: readonly string[] = Object.values(WATCHED);
