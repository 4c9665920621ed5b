import type { System } from './system.ts';

export const SYSTEM_FIGURES = [
  'lag',
  'dead_letters',
  'notifications',
  'storage',
  'event_streams',
  'jobs',
] as const;
export type SystemFigure = (typeof SYSTEM_FIGURES)[number];

export type Grade = 'ok' | 'warning' | 'failed' | 'unknown';

interface Limits {
  warning: number;
  failed: number;
}

const LAG_SECONDS: Limits = { warning: 10, failed: 60 };
const OLDEST_NOTIFICATION_SECONDS: Limits = { warning: 60, failed: 600 };
const DAYS_LEFT: Limits = { warning: 7, failed: 1 };
const FREE_BYTES: Limits = { warning: 2 * 2 ** 30, failed: 2 ** 30 };
const FREE_SHARE: Limits = { warning: 0.1, failed: 0.05 };

/**
 * How the figures of an installation are: `failed` from where alerts or samples come too late or are refused, `warning` from
 * where somebody should look. Dead letters and failing jobs are a warning, because what was lost is past, and jobs retry.
 */
export function gradeSystem(
  system: Pick<
    System,
    'evaluation_lag_seconds' | 'dead_letters' | 'notifications' | 'storage' | 'event_streams' | 'jobs'
  >,
): Record<SystemFigure, Grade> {
  const { evaluation_lag_seconds: lag, dead_letters, notifications, storage, jobs } = system;
  return {
    lag: lag === null ? 'unknown' : above(lag, LAG_SECONDS),
    dead_letters: dead_letters.count > 0 ? 'warning' : 'ok',
    notifications:
      notifications === null ? 'unknown' : above(notifications.oldest_seconds, OLDEST_NOTIFICATION_SECONDS),
    storage: gradeStorage(storage),
    event_streams: 'ok',
    jobs: jobs.failing.length > 0 ? 'warning' : 'ok',
  };
}

/** How far evaluation is behind, in seconds, by the same limits. */
export const gradeLag = (seconds: number | null): Grade =>
  seconds === null ? 'unknown' : above(seconds, LAG_SECONDS);

function gradeStorage({ disk, days_left }: System['storage']): Grade {
  if (disk === null) return 'unknown';
  const grades = [
    below(disk.free_bytes, FREE_BYTES),
    below(disk.free_bytes / disk.total_bytes, FREE_SHARE),
    days_left === null ? 'ok' : below(days_left, DAYS_LEFT),
  ];
  return grades.includes('failed') ? 'failed' : grades.includes('warning') ? 'warning' : 'ok';
}

const above = (value: number, { warning, failed }: Limits): Grade =>
  value >= failed ? 'failed' : value >= warning ? 'warning' : 'ok';

const below = (value: number, { warning, failed }: Limits): Grade =>
  value < failed ? 'failed' : value < warning ? 'warning' : 'ok';
