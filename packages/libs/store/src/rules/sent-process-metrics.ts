import { PROCESS_METRICS } from '@tidewatch/contracts/rules/rule-consistency';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import type { SnapshotSpan } from '../snapshots/snapshot-reader.ts';
import { organizationSnapshots } from '../snapshots/stored-snapshots.ts';

/** How many of the newest snapshots of a host are read, since the newest may have no process or not every field. */
const SNAPSHOTS_PER_HOST = 20;
const HOSTS_AT_ONCE = 100;

/** Those metrics of processes that hosts of an organization sent in the last day; null if they sent no process. */
export async function sentProcessMetrics(
  sql: Queryable,
  organizationId: string,
  serviceIds: readonly string[],
): Promise<ReadonlySet<string> | null> {
  const [{ now } = { now: 0 }] = await sql<{ now: number }[]>`select now() as now`;
  const spans = serviceIds.map((serviceId) => ({
    organizationId,
    serviceId,
    from: now - DAY_MS,
    to: Number.POSITIVE_INFINITY,
  }));
  const found = new Set<string>();
  const isAll = () => SENT.every(({ metric }) => found.has(metric));
  let hasProcesses = false;
  for (const max of [1, SNAPSHOTS_PER_HOST])
    for (let start = 0; start < spans.length && !isAll(); start += HOSTS_AT_ONCE) {
      const part: SnapshotSpan[] = spans.slice(start, start + HOSTS_AT_ONCE);
      const newest = await organizationSnapshots.newest(sql, part, 'processes', max);
      const processes = newest.flat().flatMap(({ list }) => list);
      hasProcesses ||= processes.length > 0;
      for (const { metric, field } of SENT)
        if (processes.some((process) => typeof process[field] === 'number')) found.add(metric);
    }
  return hasProcesses ? found : null;
}

const SENT = PROCESS_METRICS.flatMap((metric) => {
  const field = metric.slice(metric.indexOf('.') + 1);
  return field === 'cpu_percent' || field === 'memory_rss' ? [{ metric, field } as const] : [];
});
