import type { Setting, View } from './incident.ts';

/**
 * The first seed of each set: `train` for fitting weights, `dev` for looking at single incidents, `test` for published
 * figures.
 */
export const SEED_SETS = { train: 1_000, dev: 500_000_000, test: 1_000_000_000 } as const;
export type SeedSet = keyof typeof SEED_SETS;

const NOISES = [0.5, 1, 2];
const INTERVALS = [1_000, 10_000, 60_000];
const DELAYS = [0, 60_000];

/**
 * Every combination of noise, interval and delay, each with seeds of its own.
 * @param view where the trouble lies in the window
 * @param unquiet whether the fleet is as loud as real ones are
 * @param first the number of the first seed, from 1: seeds that were inspected once are not tested again
 */
export function settingsOf(
  set: SeedSet,
  kind: number,
  seeds: number,
  first = 1,
  { unquiet = false, view = 'alert' }: { unquiet?: boolean; view?: View } = {},
): Setting[] {
  const settings: Setting[] = [];
  const begin = (first - 1) * NOISES.length * INTERVALS.length * DELAYS.length;
  for (let seed = 0; seed < seeds; seed++)
    for (const noise of NOISES)
      for (const intervalMs of INTERVALS)
        for (const delayMs of DELAYS)
          settings.push({
            seed: SEED_SETS[set] + kind * 10_000_019 + (begin + settings.length) * 7_919,
            noise,
            intervalMs,
            delayMs,
            unquiet,
            view,
          });
  return settings;
}
