import { SHAPE_DRAWINGS, STATUS_KINDS } from '../components/status/status-kinds.ts';
import type { Summary } from '../live/summary-counts.ts';

/** What the icon of the tab shows; `healthy` is the icon of the product. */
export type IconStatus = 'critical' | 'offline' | 'degraded' | 'healthy' | 'unknown';

export const ICON_TOKENS: Readonly<Record<Exclude<IconStatus, 'healthy'>, string>> = {
  critical: '--critical-fill',
  offline: '--offline-fill',
  degraded: '--warning-fill',
  unknown: '--unknown-fill',
};

/** The worst status of hosts and active alerts; `unknown` while nothing current is known. */
export function worstStatus(
  summary: Pick<Summary, 'alerts' | 'services'> | undefined,
  isCurrent: boolean,
): IconStatus {
  if (summary === undefined || !isCurrent) return 'unknown';
  const { alerts, services } = summary;
  if (alerts.critical.total > 0 || services.critical > 0) return 'critical';
  if (services.offline > 0) return 'offline';
  return alerts.warning.total > 0 || services.degraded > 0 ? 'degraded' : 'healthy';
}

/** The shape of a status in a colour, as the address of an icon. */
export function iconAddress(status: Exclude<IconStatus, 'healthy'>, color: string): string {
  const { d, lineWidth, dashes = '' } = SHAPE_DRAWINGS[STATUS_KINDS[status].shape];
  const paint =
    lineWidth === undefined
      ? `fill="${color}"`
      : `fill="none" stroke="${color}" stroke-width="${lineWidth}" stroke-dasharray="${dashes}"`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="${d}" ${paint}/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
