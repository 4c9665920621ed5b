/** Metrics of one kind, which stand together on the page. */
export interface MetricGroup {
  name: string;
  metrics: string[];
}

const GROUPS: readonly [string, RegExp][] = [
  ['CPU', /^(?:cpu|load|steal|iowait|context_switch)/],
  ['Memory', /^(?:mem|swap|oom)/],
  ['Disk', /^(?:disk|filesystem|fs|inode|io)_?/],
  ['Network', /^(?:net|tcp|udp|packets?|interface)/],
  ['Tidewatch', /^(?:tidewatch|process_)/],
];
const OTHER = 'Other';
/** What people look for first stands before the rest of its group. */
const FIRST = ['cpu_percent', 'memory_percent', 'disk_percent'];

/** Groups metrics by their names: pinned ones first, then CPU, memory, disk, network, Tidewatch and others. */
export function groupMetrics(
  metrics: readonly string[],
  pinned: readonly string[],
  filter: string,
): MetricGroup[] {
  const wanted = filter.trim().toLowerCase();
  const shown = metrics.filter((metric) => metric.toLowerCase().includes(wanted));
  const groups = new Map<string, string[]>([['Pinned', pinned.filter((metric) => shown.includes(metric))]]);
  for (const [name] of GROUPS) groups.set(name, []);
  groups.set(OTHER, []);
  const rank = (metric: string) => (FIRST.includes(metric) ? 0 : 1);
  const sorted = [...shown].sort((a, b) => rank(a) - rank(b) || a.localeCompare(b, 'en'));
  for (const metric of sorted) {
    if (pinned.includes(metric)) continue;
    const group = GROUPS.find(([, pattern]) => pattern.test(metric))?.[0] ?? OTHER;
    groups.get(group)?.push(metric);
  }
  return [...groups]
    .filter(([, members]) => members.length > 0)
    .map(([name, members]) => ({ name, metrics: members }));
}
