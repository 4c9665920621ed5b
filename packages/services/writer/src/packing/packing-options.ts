import type { Sql } from '@tidewatch/database/connection';
import type { PackingReports } from './packing-reports.ts';

export interface PackingOptions extends PackingReports {
  sql: Sql;
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  /** The name of this writer in leases. */
  holder: string;
  /** How often a log of samples is sealed into chunks, ms. Default five minutes. */
  sealIntervalMs?: number | undefined;
}
