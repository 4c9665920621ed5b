import type { ServiceName } from './service-names.ts';

/** Free space and size of a disk. */
export interface DiskFigures {
  freeBytes: number;
  totalBytes: number;
}

/** What a process measures of its own work; null where it does no such work. */
export interface ProcessFigures {
  /** The largest lag of storing, or the mean lag of evaluating, since the last report, s. */
  lagSeconds: number | null;
  /** Since the process started. */
  deadLetters: number;
  jobFailures: number;
  /** Jobs whose last round failed. */
  failingJobs: string[];
  notificationsQueued: number | null;
  notificationsOldestSeconds: number | null;
  eventStreams: number;
  /** The disk of the stored data, if the process can see it. */
  disk: DiskFigures | null;
}

/** What a process reports of itself. */
export interface ProcessReport {
  /** Machine and process id. */
  id: string;
  roles: readonly ServiceName[];
  version: string;
  status: 'ready' | 'degraded' | 'unavailable';
  reasons: readonly string[];
  figures: ProcessFigures;
  /** How long the process has run, ms. */
  uptimeMs: number;
}
