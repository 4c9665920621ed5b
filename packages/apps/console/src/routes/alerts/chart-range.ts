import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Alert } from './alert-reads.ts';

/** What is shown before the breach, and after its end. */
const BEFORE_MS = 45 * MINUTE_MS;
const AFTER_MS = 15 * MINUTE_MS;

/** The range of an alert's chart where the URL has none: from before the breach until now, or until after its end. */
export function chartRangeOf({ pending_since, fired_at, resolved_at }: Alert): { from: string; to?: string } {
  const iso = (at: number) => new Date(at).toISOString();
  const from = iso(Date.parse(pending_since ?? fired_at) - BEFORE_MS);
  return resolved_at === null ? { from } : { from, to: iso(Date.parse(resolved_at) + AFTER_MS) };
}
