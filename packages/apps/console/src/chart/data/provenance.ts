import type { RollupTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { formatDuration } from '../../components/number/number-format.ts';

export interface Source {
  /** What the steps were computed from, as the API says. */
  tier: string;
  stepMs: number;
  intervalMs: number | null;
}

const ROLLUPS: Readonly<Record<RollupTier, string>> = {
  '1m': '1-minute rollups',
  '1h': '1-hour rollups',
  '1d': '1-day rollups',
};
const WORDS: readonly [number, string][] = [
  [DAY_MS, 'day'],
  [HOUR_MS, 'hour'],
  [MINUTE_MS, 'minute'],
  [SECOND_MS, 'second'],
];

/** "10-second", "1-hour". */
export function stepWord(stepMs: number): string {
  const [unit, word] = WORDS.find(([each]) => stepMs >= each && stepMs % each === 0) ?? [1, 'millisecond'];
  return `${stepMs / unit}-${word}`;
}

const isRollup = (tier: string): tier is RollupTier => Object.hasOwn(ROLLUPS, tier);

/** Names the data of a chart: "5-minute steps of 1-minute rollups of samples every 10 s · mean, min to max". */
export function provenance({ tier, stepMs, intervalMs }: Source, shown: string): string {
  const every = intervalMs === null ? '' : ` every ${formatDuration(intervalMs)}`;
  const rollups = isRollup(tier) ? ROLLUPS[tier] : undefined;
  const data = rollups === undefined ? `samples${every}` : `${rollups} of samples${every}`;
  const isPlain =
    rollups?.startsWith(`${stepWord(stepMs)} `) ?? (intervalMs !== null && stepMs <= intervalMs);
  const steps = isPlain ? data : `${stepWord(stepMs)} steps of ${data}`;
  return `${steps} · ${shown}`;
}
