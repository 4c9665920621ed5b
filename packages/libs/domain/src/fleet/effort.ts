import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { TIER_MS, type Tier } from '../rollup/buckets.ts';

/** The max number of rows that one query may read. */
export const MAX_ROWS = 2_000_000;
/** The max number of points of all groups in the response to one query. */
export const MAX_ANSWERED = 200_000;
/** The interval at which agents send by default, ms; used to estimate the number of raw samples. */
const USUAL_INTERVAL_MS = 10 * SECOND_MS;

/** The number of values of a row that a query may read without counting it as more than one. */
const VALUES_OF_ROW = 2;

/** What a query costs: how much of how many hosts it reads, and the range `[from, to)` (ms) that is read from a tier. */
export interface Effort {
  hosts: number;
  /** The blocks that are read, each of which has a row at every time. */
  blocks: number;
  /** The series in these blocks. */
  series: number;
  from: number;
  to: number;
  tier: Tier;
}

/** Returns null if a query may run; otherwise the rows that it would read and the max number of hosts for this range. */
export function tooMuch({
  hosts,
  blocks,
  series,
  from,
  to,
  tier,
}: Effort): { rows: number; hostsAllowed: number } | null {
  const width = tier === 'raw' ? USUAL_INTERVAL_MS : TIER_MS[tier];
  const rowsOfBlock = Math.max(1, Math.ceil((to - from) / width));
  const rows = Math.max(blocks, Math.ceil(series / VALUES_OF_ROW)) * rowsOfBlock;
  return rows <= MAX_ROWS ? null : { rows, hostsAllowed: Math.floor((MAX_ROWS * hosts) / rows) };
}
