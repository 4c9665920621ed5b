import type { Preview } from '@tidewatch/contracts/rules/preview';
import { formatCount, formatDuration } from '../../../../components/number/number-format.ts';

/** "12 alerts on 5 hosts · max 3 h · 1 still firing". */
export function previewText({ alerts, alerts_total, to }: Preview): string {
  if (alerts_total === 0) return 'No alert.';
  const hosts = new Set(alerts.map(({ service_id }) => service_id)).size;
  const firing = alerts.filter(({ resolved_at }) => resolved_at === null).length;
  const max = Math.max(
    ...alerts.map(({ fired_at, resolved_at }) => Date.parse(resolved_at ?? to) - Date.parse(fired_at)),
  );
  const isCut = alerts.length < alerts_total;
  return [
    `${formatCount(alerts_total)} ${alerts_total === 1 ? 'alert' : 'alerts'} on ${isCut ? 'at least ' : ''}${formatCount(hosts)} ${hosts === 1 ? 'host' : 'hosts'}`,
    `max ${formatDuration(max)}`,
    ...(firing === 0 ? [] : [`${formatCount(firing)} still firing`]),
  ].join(' · ');
}

/** "212 hosts, from raw samples, 0.9 s". */
export function provenanceText({ services_evaluated, tier }: Preview, durationMs: number): string {
  const hosts = `${formatCount(services_evaluated)} ${services_evaluated === 1 ? 'host' : 'hosts'}`;
  return `${hosts}, from ${tier === 'raw' ? 'raw samples' : '1-minute rollups'}, ${formatDuration(durationMs)}`;
}
