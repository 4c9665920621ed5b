/** Metrics of a Tidewatch process that an agent watches, by what they say. */
export const WATCHED = {
  writerLag: 'tidewatch_writer_lag_seconds',
  evaluatorLag: 'tidewatch_evaluator_lag_seconds',
  notificationsOldest: 'tidewatch_notifications_oldest_seconds',
  deadLetters: 'tidewatch_dead_letters_total',
  jobFailures: 'tidewatch_writer_job_failures_total',
  started: 'process_start_time_seconds',
} as const;

/** The names of all of them. */
export const WATCHED_METRICS: readonly string[] = Object.values(WATCHED);
