import type { Unit } from '@tidewatch/contracts/values/unit';
import type { ChartPoint } from '../data/gaps.ts';

export interface ValueScale {
  min: number;
  max: number;
  /** Where lines of the grid are, in order. */
  ticks: number[];
  /** True where the axis does not begin at zero though all values are above it. */
  isBroken: boolean;
}

export interface ScaleOptions {
  unit: Unit | null;
  /** Fits the axis to the values. Otherwise it is 0 to 100 for percentages, and begins at 0. */
  isFitted: boolean;
  /** The room for ticks. */
  maxTicks: number;
  /** Limits that should be on the chart where they are near the values. */
  limits: readonly number[];
}

/** The scale of the axis of values, for all lines of a chart. */
export function valueScale(lines: readonly (readonly ChartPoint[])[], options: ScaleOptions): ValueScale {
  const { unit, isFitted, maxTicks, limits } = options;
  const [low, high] = extent(lines);
  if (isFitted && low <= high) {
    const pad = (high - low || Math.abs(high) || 1) * 0.05;
    const scale = rounded(low - pad, high + pad, unit, maxTicks);
    return { ...scale, isBroken: scale.min > 0 };
  }
  if (unit === 'percent' && low >= 0 && high <= 100) return rounded(0, 100, unit, maxTicks);
  const near = limits.filter((limit) => limit <= Math.max(high, 0) * 3 && limit >= Math.min(low, 0) * 3);
  const top = Math.max(high, ...near, 0);
  const bottom = Math.min(low, ...near, 0);
  return rounded(bottom, top > bottom ? top : bottom + 1, unit, maxTicks);
}

function extent(lines: readonly (readonly ChartPoint[])[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (const points of lines)
    for (const { min, max } of points) {
      if (min < low) low = min;
      if (max > high) high = max;
    }
  return [low, high];
}

/** Widens to round ticks: by 1, 2, 5 and their tens, by powers of two for bytes, and by minutes and hours for times. */
function rounded(low: number, high: number, unit: Unit | null, maxTicks: number): ValueScale {
  const step = tickStep((high - low) / Math.max(maxTicks, 1), unit);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { min: first * step, max: last * step, ticks, isBroken: false };
}

const SECONDS = [60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200];
const DAY_SECONDS = 86_400;

function tickStep(least: number, unit: Unit | null): number {
  if (unit === 'bytes' && least >= 1) {
    const scale = 1_024 ** Math.floor(Math.log(least) / Math.log(1_024));
    const within = least / scale;
    return (within > 512 ? 1_024 : within > 256 ? 512 : within > 200 ? 256 : decimal(within)) * scale;
  }
  const scale = unit === 'milliseconds' ? 1_000 : unit === 'seconds' ? 1 : 0;
  const seconds = scale === 0 ? 0 : least / scale;
  if (seconds > DAY_SECONDS / 2) return decimal(seconds / DAY_SECONDS) * DAY_SECONDS * scale;
  if (seconds > 30) return (SECONDS.find((step) => step >= seconds) ?? DAY_SECONDS) * scale;
  return decimal(least);
}

/** The next 1, 2 or 5 times a power of ten. */
function decimal(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5, 10].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}
