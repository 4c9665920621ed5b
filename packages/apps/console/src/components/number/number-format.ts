import type { Unit } from '@tidewatch/contracts/values/unit';

const GROUPED = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const BYTES = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;
/** Shown where a value was never reported; zero is shown as zero. */
export const NO_VALUE = '–';

/** A count with thousands separators: 1,240. */
export function formatCount(value: number): string {
  return GROUPED.format(value);
}

/** Three significant digits at most, without trailing zeros; whole numbers from a thousand on are grouped. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return NO_VALUE;
  if (Math.abs(value) >= 999.5) return formatCount(value);
  const rounded = Number(value.toPrecision(3));
  return Math.abs(rounded) < 0.001 && rounded !== 0 ? rounded.toExponential() : String(rounded);
}

/** A value with its unit, as the API or the name of the metric has it: 97.4 %, 1.1 GiB, 212 MiB/s, 240 ms, 3 h 12 min, 41 °C. */
export function formatValue(value: number | null | undefined, unit: Unit | null, metric = ''): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return NO_VALUE;
  switch (unit) {
    case 'percent':
      return `${formatNumber(value)} %`;
    case 'bytes':
      return formatBytes(value);
    case 'per second':
      return isOfBytes(unit, metric) ? `${formatBytes(value)}/s` : `${formatNumber(value)}/s`;
    case 'seconds':
      return formatDuration(value * 1_000);
    case 'milliseconds':
      return formatDuration(value);
    default:
      return metric.endsWith('_celsius') ? `${formatNumber(value)} °C` : formatNumber(value);
  }
}

/** Whether values are bytes, or bytes a second, which only the name of the metric shows. */
export function isOfBytes(unit: Unit | null, metric: string): boolean {
  return unit === 'bytes' || (unit === 'per second' && metric.includes('bytes'));
}

export function formatBytes(value: number): string {
  let scaled = Math.abs(value);
  let power = 0;
  while (scaled >= 1_023.5 && power < BYTES.length - 1) {
    scaled /= 1_024;
    power += 1;
  }
  return `${value < 0 ? '-' : ''}${formatNumber(scaled)} ${BYTES[power]}`;
}

/** A duration in its two largest units: 240 ms, 1.3 s, 4 min, 3 h 12 min, 2 d 4 h. */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) return NO_VALUE;
  const sign = ms < 0 ? '-' : '';
  const size = Math.abs(ms);
  if (size < 999.5) return `${sign}${formatNumber(size)} ms`;
  if (size < 9_950) return `${sign}${Number((size / 1_000).toPrecision(2))} s`;
  if (size < 59_500) return `${sign}${Math.round(size / 1_000)} s`;
  const minutes = Math.round(size / 60_000);
  if (minutes < 60) return `${sign}${minutes} min`;
  if (minutes < 24 * 60) return sign + twoUnits(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
  const hours = Math.round(minutes / 60);
  return sign + twoUnits(Math.floor(hours / 24), 'd', hours % 24, 'h');
}

function twoUnits(first: number, unit: string, second: number, smaller: string): string {
  return `${formatCount(first)} ${unit}${second === 0 ? '' : ` ${second} ${smaller}`}`;
}
