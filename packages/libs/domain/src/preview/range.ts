import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { type Retention, retainedFrom } from '../rollup/buckets.ts';

const DEFAULT_RANGE_MS = 7 * DAY_MS;

/** The requested range and the retention; all in ms. */
export interface PreviewRange {
  from: number | undefined;
  to: number | undefined;
  now: number;
  retention: Retention;
}

/** The range `[from, to)` that a preview evaluates, and the tier from which values are read. */
export interface PreviewPlan {
  tier: 'raw' | '1m';
  from: number;
  to: number;
}

/**
 * Plans a preview: samples if they are kept for the whole range, otherwise minutes for as far back as they are kept; null
 * if nothing of the range is kept.
 */
export function planPreview({ from: asked, to: end, now, retention }: PreviewRange): PreviewPlan | null {
  const to = Math.min(end ?? now, now);
  const begin = asked ?? to - DEFAULT_RANGE_MS;
  const tier = begin >= retainedFrom('raw', now, retention) ? 'raw' : '1m';
  const kept = Math.max(begin, retainedFrom(tier, now, retention));
  // A minute that begins before the range is not evaluated.
  const from = tier === 'raw' ? kept : Math.ceil(kept / MINUTE_MS) * MINUTE_MS;
  return from < to ? { tier, from, to } : null;
}
