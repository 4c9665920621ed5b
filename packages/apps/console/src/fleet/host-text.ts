import { formatCount, formatValue } from '../components/number/number-format.ts';
import { formatAge } from '../components/time/time-format.ts';
import { visibleText } from '../components/visible-text.ts';
import { FLEET_METRICS, type FleetMetric, type HostColumns, statusOf } from './fleet.ts';

export const METRIC_WORDS: Readonly<Record<FleetMetric, string>> = {
  cpu_percent: 'CPU',
  memory_percent: 'memory',
  disk_percent: 'disk',
};

/** Why a host is not healthy, by what the API reports of it; empty if nothing explains it. */
export function reasonOf(hosts: HostColumns, row: number, now: number): string {
  if (statusOf(hosts, row) === 'offline')
    return `silent for ${formatAge(hosts.lastSeen[row] as number, now)}`;
  const counts = (['critical', 'warning', 'info'] as const)
    .map((severity) => [hosts[severity][row] as number, severity] as const)
    .filter(([count]) => count > 0)
    .map(([count, severity]) => `${count} ${severity}`);
  if (counts.length === 0) return '';
  return `${counts.join(', ')} ${countOf(hosts, row) === 1 ? 'alert' : 'alerts'}`;
}

/** Active alerts of all severities. */
export function countOf(hosts: HostColumns, row: number): number {
  return (hosts.critical[row] as number) + (hosts.warning[row] as number) + (hosts.info[row] as number);
}

/** "CPU 12.5 %, memory 40.1 %, disk –". */
export function valuesOf(hosts: HostColumns, row: number): string {
  return FLEET_METRICS.map((metric) => {
    const value = hosts.metrics[metric][row] as number;
    return `${METRIC_WORDS[metric]} ${formatValue(value, 'percent')}`;
  }).join(', ');
}

/** Everything about a host in one line, as assistive technology announces it. */
export function announcementOf(
  hosts: HostColumns,
  row: number,
  now: number,
  position: { place: number; of: number; isSelected: boolean },
): string {
  const reason = reasonOf(hosts, row, now);
  const status = `${statusOf(hosts, row)}${reason === '' ? '' : `: ${reason}`}`;
  const place = `${formatCount(position.place)} of ${formatCount(position.of)}`;
  return `${visibleText(hosts.names[row] as string)}, ${status}, ${valuesOf(hosts, row)}, ${position.isSelected ? 'selected, ' : ''}${place}`;
}
