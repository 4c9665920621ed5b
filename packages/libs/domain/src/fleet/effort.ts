import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import { TIER_MS, type Tier } from '../rollup/tier.ts';

/** Rows that one query reads at most, of all hosts. */
export const MAX_ROWS = 2_000_000;
/** Points that one query answers at most, of all groups. */
export const MAX_ANSWERED = 200_000;
/** How far apart an agent sends by default; what raw samples are reckoned by. */
const USUAL_INTERVAL_MS = 10 * SECOND_MS;

/** The cost of a query: how many hosts, and of a range `[from, to)` in ms read from a tier. */
export interface Effort {
  hosts: number;
  from: number;
  to: number;
  tier: Tier;
}

/** Null if the query may run; otherwise the rows that it would read and the number of hosts it may cover. */
export function tooMuch({ hosts, from, to, tier }: Effort): { rows: number; hostsAllowed: number } | null {
  const width = tier === 'raw' ? USUAL_INTERVAL_MS : TIER_MS[tier];
  const rowsOfHost = Math.max(1, Math.ceil((to - from) / width));
  const rows = hosts * rowsOfHost;
  return rows <= MAX_ROWS ? null : { rows, hostsAllowed: Math.floor(MAX_ROWS / rowsOfHost) };
}
