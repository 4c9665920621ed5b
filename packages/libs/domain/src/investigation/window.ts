import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';

/** The minimum and the maximum window of an investigation, ms. */
export const MIN_WINDOW_MS = MINUTE_MS;
export const MAX_WINDOW_MS = DAY_MS;

/** The default window before now, ms. */
export const USUAL_WINDOW_MS = HOUR_MS;

/** How much time before a breach an investigation covers at least, ms. */
const LEAD_MS = 30 * MINUTE_MS;
/** The time after a resolution that is included, to show whether the cause ended too, ms. */
const TAIL_MS = 10 * MINUTE_MS;

/** When an alert was pending, fired and resolved, ms; null where it was not. */
export interface AlertTimes {
  pendingSince: number | null;
  firedAt: number;
  resolvedAt: number | null;
}

/** A stretch of time `[from, to)`, ms. */
export interface InvestigationWindow {
  from: number;
  to: number;
}

/**
 * The window of an alert that is investigated at `now`: from at least half an hour before the breach (twice the pending
 * time, if longer) until now or shortly after the resolution. A window that would be too long is cut at its end.
 */
export function alertWindow(
  { pendingSince, firedAt, resolvedAt }: AlertTimes,
  now: number,
): InvestigationWindow {
  const began = Math.min(pendingSince ?? firedAt, firedAt);
  const from = began - Math.max(LEAD_MS, 2 * (firedAt - began));
  const end = resolvedAt === null ? now : Math.min(now, resolvedAt + TAIL_MS);
  // An alert of a host whose clock is ahead may have fired later than now.
  const to = Math.max(end, firedAt + MINUTE_MS);
  const earliest = firedAt + MINUTE_MS - MAX_WINDOW_MS;
  const start = Math.max(from, earliest);
  return { from: start, to: Math.min(to, start + MAX_WINDOW_MS) };
}

/** Why a requested window is refused. */
export type WindowFault = 'too_short' | 'too_long';

/**
 * The window requested at `now`: missing bounds are taken from `usual` (or are the hour before the end), and the future is
 * cut off.
 */
export function requestedWindow(
  asked: Partial<InvestigationWindow>,
  usual: InvestigationWindow | null,
  now: number,
): InvestigationWindow | WindowFault {
  const to = asked.to === undefined ? (usual?.to ?? now) : Math.min(asked.to, now);
  const from = asked.from ?? (usual === null || asked.to !== undefined ? to - USUAL_WINDOW_MS : usual.from);
  if (to - from < MIN_WINDOW_MS) return 'too_short';
  return to - from > MAX_WINDOW_MS ? 'too_long' : { from, to };
}

/** The number of values of a window by which hosts are compared, if there are as many. */
const COMPARED_VALUES = 60;

/**
 * The step in which hosts are compared, ms: one sample for each value, or as many whole intervals as leave 60 values of the
 * window.
 */
export function comparedStep({
  from,
  to,
  intervalMs,
}: InvestigationWindow & { readonly intervalMs: number }): number {
  const interval = Math.max(1, Math.round(intervalMs / SECOND_MS)) * SECOND_MS;
  return interval * Math.max(1, Math.ceil((to - from) / interval / COMPARED_VALUES));
}

/** How much of the time before a window is read of other hosts at least, ms. */
const PEERS_MS = 2 * HOUR_MS;

/** From when on other hosts are read, ms: two hours before the window, or as many values as are compared of the window. */
export function peersFrom(window: InvestigationWindow & { readonly intervalMs: number }): number {
  return window.from - Math.max(PEERS_MS, COMPARED_VALUES * comparedStep(window));
}
