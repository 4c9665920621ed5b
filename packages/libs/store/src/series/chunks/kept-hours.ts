import type { Limits } from '@tidewatch/domain/preview/limits';
import { LOUD, QUIET, UNCLEAR } from '@tidewatch/domain/preview/stretches';
import type { Steps } from '../series-columns.ts';

/** Hours in order, as columns. */
export interface KeptHours {
  /** ms */
  starts: Float64Array;
  values: Float64Array;
  loudness: Uint8Array;
}

/** The hours of a slot as limits see them; with `leavesQuietOut` without those that change no stretch of plain samples. */
export function keptHours(
  { at, count, min, max }: Steps,
  limits: Limits | null,
  leavesQuietOut: boolean,
): KeptHours {
  const loudness = Uint8Array.from(at, (_, hour) =>
    loudnessOf(min[hour] as number, max[hour] as number, limits),
  );
  if (!leavesQuietOut) return { starts: at, values: count, loudness };
  const isLoud = (hour: number) => (loudness[hour] ?? QUIET) !== QUIET;
  // Of quiet hours those next to others are kept, and the last one.
  const kept = [...at.keys()].filter(
    (hour) => isLoud(hour - 1) || isLoud(hour) || isLoud(hour + 1) || hour === at.length - 1,
  );
  return {
    starts: Float64Array.from(kept, (hour) => at[hour] as number),
    values: Float64Array.from(kept, (hour) => count[hour] as number),
    loudness: Uint8Array.from(kept, (hour) => loudness[hour] as number),
  };
}

/** How limits see an hour by its minimum and maximum: whether a value may breach, or all are past every recovery threshold. */
function loudnessOf(min: number, max: number, limits: Limits | null): number {
  if (limits === null) return LOUD;
  const { low, high, outside, clearAbove, clearBelow, margin } = limits;
  const slack = margin * Math.max(Math.abs(min), Math.abs(max));
  const [least, greatest] = [min - slack, max + slack];
  const breaches = outside ? least < low || greatest > high : greatest >= low && least <= high;
  if (breaches) return LOUD;
  return least > clearAbove && greatest < clearBelow ? QUIET : UNCLEAR;
}
