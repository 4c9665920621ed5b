import { SILENT_MINUTES } from '@tidewatch/contracts/rules/rule-metric';
import { alertWindow, type InvestigationWindow } from '@tidewatch/domain/investigation/window';
import type { AlertMoments } from '@tidewatch/store/investigations/alert-moments';

const MIN_MS = 60_000;
/** A host that was silent for so long says by that that it is; below, the window ends with its newest sample. */
const SILENT_MS = 120_000;

/** Whether an alert is about what came, so that there is a sample that it fired by. */
export function firedBySample({ metric, noData }: AlertMoments): boolean {
  return !noData && metric !== SILENT_MINUTES;
}

/**
 * The window of a run: that of its alert, or the one that was asked for, up to what is known at `now`. `storedUntil` is the
 * time of the newest sample of the host, null where there is none. All in ms.
 */
export function runWindow(
  asked: InvestigationWindow,
  alert: AlertMoments | undefined,
  storedUntil: number | null,
  now: number,
): InvestigationWindow {
  const { from, to } = alert === undefined ? asked : alertWindow(alert, now);
  const isSilent = storedUntil === null || now - storedUntil > SILENT_MS;
  const known = isSilent ? now : storedUntil + 1;
  return { from, to: Math.max(from + MIN_MS, Math.min(to, known)) };
}
