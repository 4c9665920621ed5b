import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';

const UNITS: Readonly<Record<string, number>> = {
  '': SECOND_MS,
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
};
/** The max step: no tier is kept for more than some years, so a longer step is a mistake. */
const MAX_STEP_MS = 3_660 * DAY_MS;

/**
 * Parses a step from whole seconds (`60`) or a number with a unit (`30s`, `1m`, `1h`, `1d`) to ms; undefined for other
 * texts.
 */
export function parseStep(text: string): number | undefined {
  const match = /^(\d{1,12})([smhd]?)$/.exec(text);
  if (match === null) return undefined;
  const step = Number(match[1]) * (UNITS[match[2] as string] as number);
  return step >= SECOND_MS && step <= MAX_STEP_MS ? step : undefined;
}
