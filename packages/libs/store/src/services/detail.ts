import type { ServiceDetail } from '@tidewatch/contracts/services/service';
import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import { WRONG_CLOCK_MS } from '@tidewatch/domain/alerting/clock-offset';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { type AlertRow, alertRecord } from '../alerts/write-row.ts';
import { alertNotifications } from '../notifications/of-alert.ts';
import { latestParts, readPartValues } from '../parts/latest-parts.ts';
import { newerOf, readTailLatest } from '../sample-log/tail-latest.ts';
import { type ServiceRow, serviceAnswer, serviceColumns } from './row.ts';
import { readSnapshotAt } from './snapshot-at.ts';

type DetailRow = ServiceRow & {
  interval_seconds: number | null;
  clock_skew_seconds: number | null;
  clock_offset_seconds: number | null;
};

/** Clock offsets that were measured for two requests of one host differ by up to this. */
const OFFSET_TOLERANCE_MS = MINUTE_MS;

/** The latest time (ms) of a valid snapshot: those that were sent before a clock was set back have times in the future. */
function newestTimeOf({ last_seen: lastSeen, clock_offset_seconds: offset }: DetailRow, now: number): number {
  const offsetMs = (offset ?? 0) * 1_000;
  if (lastSeen === null || offsetMs <= WRONG_CLOCK_MS) return now + MAX_SKEW_MS;
  return lastSeen - offsetMs + OFFSET_TOLERANCE_MS;
}

/** A service that is not deleted, in full, or null. Snapshots with times far after `now` (ms) are ignored. */
export async function readService(
  sql: Sql,
  organizationId: string,
  id: string,
  now: number,
): Promise<ServiceDetail | null> {
  const [service] = await sql<DetailRow[]>`
    select ${serviceColumns(sql)}, l.interval_seconds, l.clock_skew_seconds, l.clock_offset_seconds
    from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
    where s.organization_id = ${organizationId} and s.id = ${id} and s.deleted_at is null`;
  if (service === undefined) return null;
  const latestTime = newestTimeOf(service, now);
  // First, since what a seal takes out of the log after that is read from what it wrote.
  const tail = await readTailLatest(sql, { organizationId, serviceId: id, until: now + MAX_SKEW_MS });
  const [latest, { containers, processes }, parts, alerts] = await Promise.all([
    readLatest(sql, organizationId, id),
    readSnapshotAt(sql, organizationId, id, latestTime),
    readPartValues(sql, organizationId, id),
    sql<AlertRow[]>`
      select a.*, ${alertNotifications(sql)} from alerts a
      where a.organization_id = ${organizationId} and a.service_id = ${id} and a.status = 'active' and not a.shadow
      order by a.fired_at desc, a.id desc`,
  ]);
  const metrics = latest.flatMap(({ metric, blockId, slot, value, time }) => {
    const stored = value === null || time === null ? null : { value, time };
    const newest = newerOf(stored, tail.get(blockId)?.get(slot));
    return newest === null ? [] : { metric, ...newest };
  });
  return {
    ...serviceAnswer(service),
    host: service.host,
    first_seen: toIso(service.first_seen),
    interval_seconds: service.interval_seconds,
    clock_skew_seconds: service.clock_skew_seconds,
    metrics: Object.fromEntries(metrics.map(({ metric, value }) => [metric, value])),
    metric_times: Object.fromEntries(metrics.map(({ metric, time }) => [metric, toIso(time)])),
    containers: containers.list.map((each) => ({ ...each, time: toIso(containers.time ?? latestTime) })),
    processes: {
      time: processes.time === null ? null : toIso(processes.time),
      list: processes.list,
    },
    parts: latestParts(parts, tail).map((part) => ({ ...part, time: toIso(part.time) })),
    alerts: alerts.map((row) => alertRecord(row) as ServiceDetail['alerts'][number]),
  };
}

/** Every metric of the host, with its value in `block_latest`. */
async function readLatest(sql: Sql, organizationId: string, id: string) {
  return await sql<
    { metric: string; blockId: number; slot: number; value: number | null; time: number | null }[]
  >`
    select m.metric, b.id as "blockId", m.place::int - 1 as slot, m.value, m.time
    from blocks b
    left join block_latest l on l.block_id = b.id
    cross join lateral unnest(b.metrics, l.vals, l.times) with ordinality as m (metric, value, time, place)
    where b.organization_id = ${organizationId} and b.service_id = ${id} and b.subject_kind = 'host' and m.metric <> ''
    order by m.metric`;
}
