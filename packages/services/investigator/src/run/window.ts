import { SILENT_MINUTES } from '@tidewatch/contracts/rules/rule-metric';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { alertWindow, type InvestigationWindow } from '@tidewatch/domain/investigation/window';
import type { AlertMoments } from '@tidewatch/store/investigations/alert-moments';

const MIN_WINDOW_MS = MINUTE_MS;
/** A host without samples for this time is silent, ms; the window of other hosts ends with their newest sample. */
const SILENT_AFTER_MS = 120_000;

/** Whether an alert fired by a sample, and not by the absence of samples. */
export function firedBySample({ metric, noData }: AlertMoments): boolean {
  return !noData && metric !== SILENT_MINUTES;
}

/** An investigation of an alert as it was stored; times in ms. */
export interface OfAlert extends InvestigationWindow {
  trigger: 'alert' | 'request';
  createdAt: number;
}

/** Whether somebody asked for a window that is not the one that the alert has by itself. */
export function hasOwnWindow({ trigger, createdAt, from, to }: OfAlert, alert: AlertMoments): boolean {
  const usual = alertWindow(alert, createdAt);
  return trigger === 'request' && (from !== usual.from || to !== usual.to);
}

/**
 * The window of a run: that of its alert, or the requested one, up to the newest data at `now`. `storedUntil` is the time of
 * the newest stored sample of the host; null without samples. All in ms.
 */
export function runWindow(
  asked: InvestigationWindow,
  alert: AlertMoments | undefined,
  storedUntil: number | null,
  now: number,
): InvestigationWindow {
  const { from, to } = alert === undefined ? asked : alertWindow(alert, now);
  const isSilent = storedUntil === null || now - storedUntil > SILENT_AFTER_MS;
  const known = isSilent ? now : storedUntil + 1;
  return { from, to: Math.max(from + MIN_WINDOW_MS, Math.min(to, known)) };
}
