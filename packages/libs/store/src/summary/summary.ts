import type { ChannelKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { SERVICE_STATUSES } from '@tidewatch/contracts/services/service';
import { MAX_FAILING_CHANNELS, type Summary } from '@tidewatch/contracts/summary/summary';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { toIso } from '@tidewatch/contracts/time/time';
import { SEVERITIES, type Severity } from '@tidewatch/contracts/values/severity';
import type { Sql } from '@tidewatch/database/connection';
import { tallies } from '../alerts/tallies.ts';
import { readPipelineClocks } from '../health/pipeline-clocks.ts';

/** The part of a summary that is stored. */
export type StoredSummary = Omit<Summary, 'as_of' | 'setup'> & { setup: Pick<Summary['setup'], 'channels'> };

/** Reads the summary of an organization at `now` (ms), mostly from stored counters. */
export async function readSummary(sql: Sql, organizationId: string, now: number): Promise<StoredSummary> {
  const [services, alerts, clocks, notifications, rules, channels] = await Promise.all([
    countServices(sql, organizationId),
    countActiveAlerts(sql, organizationId),
    readPipelineClocks(sql),
    readNotDelivered(sql, organizationId, now),
    countRules(sql, organizationId),
    countChannels(sql, organizationId),
  ]);
  const behind = clocks.map(({ completeUntil }) => Math.max(0, now - completeUntil));
  return {
    services,
    alerts,
    evaluation_lag_seconds: behind.length === 0 ? null : Math.max(...behind) / 1_000,
    notifications,
    rules,
    setup: { channels },
  };
}

async function countServices(sql: Sql, organizationId: string): Promise<Summary['services']> {
  const rows = await sql<{ status: string; count: number }[]>`
    select status, sum(count)::int as count from service_counts where organization_id = ${organizationId} group by 1`;
  const counts = new Map(rows.map(({ status, count }) => [status, count]));
  const byStatus = Object.fromEntries(SERVICE_STATUSES.map((status) => [status, counts.get(status) ?? 0]));
  const all = rows.filter(({ status }) => status !== 'archived');
  return { total: all.reduce((sum, { count }) => sum + count, 0), ...byStatus } as Summary['services'];
}

async function countActiveAlerts(sql: Sql, organizationId: string): Promise<Summary['alerts']> {
  const rows = await sql<{ severity: Severity; acknowledged: boolean; count: number }[]>`
    select severity, acknowledged, sum(count)::int as count
    ${tallies(sql, organizationId, { status: 'active' }, 'rule')} group by 1, 2`;
  const sumOf = (chosen: readonly { count: number }[]) => chosen.reduce((sum, { count }) => sum + count, 0);
  const bySeverity = SEVERITIES.map((severity) => {
    const own = rows.filter((row) => row.severity === severity);
    return [severity, { total: sumOf(own), acknowledged: sumOf(own.filter((row) => row.acknowledged)) }];
  });
  return { total: sumOf(rows), ...Object.fromEntries(bySeverity) };
}

async function readNotDelivered(
  sql: Sql,
  organizationId: string,
  now: number,
): Promise<Summary['notifications']> {
  const [[counted], failing] = await Promise.all([
    sql<{ failed: number }[]>`
      select count(*)::int as failed from notifications
      where organization_id = ${organizationId} and status = 'failed' and created_at >= ${now - DAY_MS}`,
    sql<{ id: string; name: string; kind: ChannelKind; failed_at: number; error: string | null }[]>`
      select c.id, c.name, c.kind, d.at as failed_at, d.error
      from channel_deliveries d join channels c on c.organization_id = d.organization_id and c.id = d.channel_id
      where d.organization_id = ${organizationId} and d.status = 'failed' and c.deleted_at is null and c.enabled
      order by d.at desc, c.id limit ${MAX_FAILING_CHANNELS}`,
  ]);
  return {
    failed: counted?.failed ?? 0,
    failing_channels: failing.map((row) => ({ ...row, failed_at: toIso(row.failed_at) })),
  };
}

async function countRules(sql: Sql, organizationId: string): Promise<Summary['rules']> {
  const [row] = await sql<Summary['rules'][]>`
    select count(*)::int as enabled, (count(*) filter (
      where definition ->> 'mode' is distinct from 'shadow' and definition -> 'channels' = '[]'))::int as without_channels
    from alert_rules where organization_id = ${organizationId} and deleted_at is null and enabled`;
  return row ?? { enabled: 0, without_channels: 0 };
}

async function countChannels(sql: Sql, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from channels
    where organization_id = ${organizationId} and deleted_at is null and enabled`;
  return row?.count ?? 0;
}
