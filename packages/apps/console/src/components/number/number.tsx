import type { Unit } from '@tidewatch/contracts/values/unit';
import { formatValue } from './number-format.ts';

export interface ValueProps {
  value: number | null | undefined;
  unit: Unit | null;
  /** The name of the metric, which tells rates of bytes from other rates. */
  metric?: string;
}

/** A number with its unit, rounded to three digits; the title has all of them. */
export function Value({ value, unit, metric = '' }: ValueProps) {
  const isKnown = value !== null && value !== undefined;
  return <span title={isKnown ? String(value) : 'never reported'}>{formatValue(value, unit, metric)}</span>;
}
