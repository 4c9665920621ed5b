import type { RollupTier } from '@tidewatch/contracts/rollups/tiers';
import type { BlockTotals } from './totals.ts';

/** Blocks of a day whose rows are converted in one transaction. */
export interface DayPart {
  blockIds: readonly number[];
  /** The start of the day, ms. */
  day: number;
  /** Whether more samples are to be expected: they are written as chunks, and rollups are computed when the day is closed. */
  isOpen: boolean;
}

/** What the rows of a day part add up to, by block. */
export interface RowTotals {
  samples: Map<number, BlockTotals>;
  rollups: Record<RollupTier, Map<number, BlockTotals>>;
}
