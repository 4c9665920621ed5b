import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { TIER_MS, type Tier } from '../rollup/buckets.ts';

/** The max number of rows of all hosts that one query may read. */
export const MAX_ROWS = 2_000_000;
/** The max number of points of all groups in the response to one query. */
export const MAX_ANSWERED = 200_000;
/** The interval at which agents send by default, ms; used to estimate the number of raw samples. */
const USUAL_INTERVAL_MS = 10 * SECOND_MS;

/** What a query costs: the number of hosts, and the range `[from, to)` (ms) that is read from a tier. */
export interface Effort {
  hosts: number;
  from: number;
  to: number;
  tier: Tier;
}

/** Returns null if a query may run; otherwise the rows that it would read and the max number of hosts for this range. */
export function tooMuch({ hosts, from, to, tier }: Effort): { rows: number; hostsAllowed: number } | null {
  const width = tier === 'raw' ? USUAL_INTERVAL_MS : TIER_MS[tier];
  const rowsOfHost = Math.max(1, Math.ceil((to - from) / width));
  const rows = hosts * rowsOfHost;
  return rows <= MAX_ROWS ? null : { rows, hostsAllowed: Math.floor(MAX_ROWS / rowsOfHost) };
}
