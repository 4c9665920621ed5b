import { formatCount } from '../../components/number/number-format.ts';
import type { Fill, Step } from '../../fleet/filter.ts';

export const FILL_WORDS: Readonly<Record<Fill, string>> = {
  status: 'status',
  cpu_percent: 'CPU',
  memory_percent: 'memory',
  disk_percent: 'disk',
};

export const STEP_WORDS: Readonly<Record<Step, string>> = {
  '0': '0–20 %',
  '20': '20–40 %',
  '40': '40–60 %',
  '60': '60–80 %',
  '80': '80–100 %',
  none: 'no value',
};

export const COLUMN_WORDS: Readonly<Record<string, string>> = {
  status: 'Status',
  status_since: 'Since',
  last_seen: 'Last seen',
  cpu_percent: 'CPU',
  memory_percent: 'Memory',
  disk_percent: 'Disk',
  alerts: 'Alerts',
};

/** "10,000 hosts", or "212 of 10,000" where a filter holds hosts back. */
export function countText(shown: number, all: number): string {
  if (shown !== all) return `${formatCount(shown)} of ${formatCount(all)}`;
  return `${formatCount(all)} ${all === 1 ? 'host' : 'hosts'}`;
}

export function nothingMatches(what: string, all: number): string {
  return `No host matches ${what} among ${formatCount(all)}.`;
}
