import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';

/** A range of time, `[from, to)`, ms since the epoch. */
export interface Range {
  from: number;
  to: number;
}

/** The range of a page as its URL has it: RFC 3339 or relative to now. A missing `to` is now. */
export interface RangeText {
  from?: string | undefined;
  to?: string | undefined;
}

const UNIT_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: MINUTE_MS,
  h: HOUR_MS,
  d: DAY_MS,
  w: 7 * DAY_MS,
};

/** A shorter range has no more than a few samples. */
export const MIN_RANGE_MS = 10 * SECOND_MS;
export const MAX_RANGE_MS = 5 * 366 * DAY_MS;

/** The time that a text of a URL names at `now`, ms. */
export function timeOf(text: string, now: number): number {
  const relative = /^-(\d+)([smhdw])$/.exec(text);
  if (relative === null) return Date.parse(text);
  return now - Number(relative[1]) * (UNIT_MS[relative[2] ?? ''] ?? 0);
}

/** The range that the texts of a URL name at `now`; a range that is reversed or too long is cut to one that is not. */
export function rangeOf({ from, to }: RangeText, defaultFrom: string, now: number): Range {
  const end = to === undefined ? now : timeOf(to, now);
  let start = timeOf(from ?? defaultFrom, now);
  if (from === undefined && start >= end) start = end - (now - timeOf(defaultFrom, now));
  return { from: Math.min(Math.max(start, end - MAX_RANGE_MS), end - MIN_RANGE_MS), to: end };
}

/** Whether the end of the range goes on with the time. */
export function isLive({ to }: RangeText): boolean {
  return to === undefined || to.startsWith('-');
}

/** The texts by which a URL names exactly this range. */
export function absoluteTexts({ from, to }: Range): { from: string; to: string } {
  return { from: new Date(Math.round(from)).toISOString(), to: new Date(Math.round(to)).toISOString() };
}

/** The range `factor` times as long around `at`, by default its middle; no longer or shorter than a range may be. */
export function zoomed({ from, to }: Range, factor: number, at = (from + to) / 2): Range {
  const length = Math.min(Math.max((to - from) * factor, MIN_RANGE_MS), MAX_RANGE_MS);
  const share = (at - from) / (to - from);
  return { from: at - length * share, to: at + length * (1 - share) };
}

/** The range moved by a share of its length; negative moves it back. */
export function shifted({ from, to }: Range, share: number): Range {
  const by = (to - from) * share;
  return { from: from + by, to: to + by };
}

/** The range that two fingers hold after they moved: what lay under each of them still does. Places are 0 to 1. */
export function pinched(range: Range, before: [number, number], after: [number, number]): Range {
  const length = range.to - range.from;
  const spread = Math.max(Math.abs(before[1] - before[0]), 0.01);
  const scale = Math.max(Math.abs(after[1] - after[0]), 0.01) / spread;
  const next = Math.min(Math.max(length / scale, MIN_RANGE_MS), MAX_RANGE_MS);
  const held = range.from + ((before[0] + before[1]) / 2) * length;
  const from = held - ((after[0] + after[1]) / 2) * next;
  return { from, to: from + next };
}
