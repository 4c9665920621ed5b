import type { RollupColumns } from '../chunk/rollup-row.ts';
import { coarserColumns, type SlotRollups } from './day-rollups.ts';

/** Of two rollups of the same steps, for each slot and step the one of more samples; of equal counts that of `first`. */
export function fullerRollups(first: SlotRollups, second: SlotRollups): SlotRollups {
  return Array.from({ length: Math.max(first.length, second.length) }, (_, slot) =>
    fullerColumns(first[slot] ?? null, second[slot] ?? null),
  );
}

function fullerColumns(first: RollupColumns | null, second: RollupColumns | null): RollupColumns | null {
  if (first === null || second === null) return first ?? second;
  const isFuller = (step: number) => !((first.counts[step] as number) >= (second.counts[step] || 0));
  const fuller = (name: keyof RollupColumns) =>
    first[name].map((own, step) => (isFuller(step) ? (second[name][step] as number) : own));
  return { sums: fuller('sums'), counts: fuller('counts'), mins: fuller('mins'), maxs: fuller('maxs') };
}

/** Rollups of steps of `width` finer ones each. */
export function coarserRollups(finer: SlotRollups, width: number): SlotRollups {
  return finer.map((slot) => (slot === null ? null : coarserColumns(slot, width)));
}
