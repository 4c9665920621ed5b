import { readColors } from '../../style/theme.ts';
import { FLEET_STATUSES } from '../fleet.ts';

const TOKENS = {
  surface: '--surface',
  text: '--text',
  line: '--line',
  faint: '--faint',
  accent: '--accent',
  critical: '--critical-fill',
  offline: '--offline-fill',
  degraded: '--warning-fill',
  maintenance: '--maintenance-fill',
  healthy: '--healthy-fill',
  unknown: '--unknown-fill',
  step0: '--step-1',
  step1: '--step-2',
  step2: '--step-3',
  step3: '--step-4',
  step4: '--step-5',
} as const;

export type MapColors = Readonly<Record<keyof typeof TOKENS, string>>;

/** The colours of the theme, resolved for a canvas: a canvas knows neither custom properties nor `light-dark()`. */
export function readMapColors(inside: HTMLElement): MapColors {
  const names = Object.keys(TOKENS);
  const colors = readColors(inside, Object.values(TOKENS));
  return Object.fromEntries(names.map((name, index) => [name, colors[index]])) as MapColors;
}

/** The colour of a cell: of its status, or of the step of its value; null without a value. */
export function colorOf(colors: MapColors, status: number, step: number | null): string | null {
  if (step === null) return colors[FLEET_STATUSES[status] ?? 'unknown'];
  return step === -1 ? null : colors[`step${step as 0 | 1 | 2 | 3 | 4}`];
}
