import type {
  AlertCountFields,
  AlertCountsAnswer,
  AlertGrouping,
} from '@tidewatch/contracts/alerts/alert-counts';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { type AlertFilter, alertCondition } from './filter.ts';

/** The alerts to count, by `fired_at` in `[from, to)`; times and the step are ms. */
export interface AlertCountsRequest {
  organizationId: string;
  from: number;
  to: number;
  now: number;
  shadow: AlertFilter['shadow'];
  groupBy: AlertGrouping | null;
  stepMs: number | null;
  /** Groups at most. */
  top: number;
}

type CountRow = AlertCountFields & {
  key: string | null;
  name: string | null;
  is_total: boolean;
  groups: number;
};
type Points = AlertCountsAnswer['total']['points'];

/** The newest name of each kind of group. */
const NAMES: Record<AlertGrouping, string> = {
  rule_id: 'rule_name',
  service_id: 'host',
  severity: 'severity',
};

/** Counts alerts and what came of them: in all, and by rule, service or severity. */
export async function readAlertCounts(
  tx: Transaction,
  request: AlertCountsRequest,
): Promise<Pick<AlertCountsAnswer, 'total' | 'groups' | 'groups_total'>> {
  const { organizationId, groupBy, stepMs, top, to, now } = request;
  const key = groupBy === null ? tx`null::text` : tx`${tx(`a.${groupBy}`)}`;
  const name = groupBy === null ? tx`null::text` : tx`${tx(`a.${NAMES[groupBy]}`)}`;
  const groupColumns =
    groupBy === null
      ? tx`null::text as key, null::text as name, true as is_total`
      : tx`key, (array_agg(name order by fired_at desc))[1] as name, grouping(key) = 1 as is_total`;
  const rows = await tx<CountRow[]>`
    with chosen as (
      select ${key} as key, ${name} as name, a.fired_at, a.severity, a.service_id, a.status, a.resolution, a.flap_count,
        a.acknowledged_at is not null as acknowledged,
        greatest(0, date_part('epoch', least(coalesce(a.resolved_at, ${now}), ${to}) - a.fired_at)) / 60 as minutes,
        exists (
          select from notification_alerts m
          join notifications n on n.organization_id = m.organization_id and n.id = m.notification_id
          where m.organization_id = a.organization_id and m.alert_id = a.id and n.status = 'delivered') as notified
      from alerts a where ${alertCondition(tx, organizationId, request)}
    ), counted as (
      select ${groupColumns},
        count(*)::int as alerts,
        (count(*) filter (where severity = 'critical'))::int as critical,
        (count(*) filter (where severity = 'warning'))::int as warning,
        (count(*) filter (where severity = 'info'))::int as info,
        count(distinct service_id)::int as services,
        (count(*) filter (where status = 'active'))::int as active,
        (count(*) filter (where resolution = 'recovered'))::int as recovered,
        (count(*) filter (where acknowledged))::int as acknowledged,
        (count(*) filter (where notified))::int as notified,
        coalesce(sum(flap_count), 0)::int as flaps,
        coalesce(round(sum(minutes)::numeric, 1), 0)::float8 as minutes
      from chosen ${groupBy === null ? tx`` : tx`group by grouping sets ((key), ())`}
    )
    select *, (count(*) over () - 1)::int as groups from counted
    order by is_total desc, alerts desc, key limit ${top + 1}`;
  const [total, ...groups] = rows;
  if (total === undefined) throw new Error('an aggregate returned no row');
  const points =
    stepMs === null ? new Map<string | null, Points>() : await readPoints(tx, request, groups, stepMs);
  return {
    total: { ...fieldsOf(total), points: points.get(null) ?? [] },
    groups: groups.map((row) => ({
      key: row.key ?? '',
      name: row.name ?? '',
      ...fieldsOf(row),
      points: points.get(row.key) ?? [],
    })),
    groups_total: total.groups,
  };
}

/** The alerts of each step, of all groups together under null and of each of `groups`. */
async function readPoints(
  tx: Transaction,
  request: AlertCountsRequest,
  groups: readonly CountRow[],
  stepMs: number,
): Promise<Map<string | null, Points>> {
  const { organizationId, groupBy } = request;
  const keys = groups.map(({ key }) => key ?? '');
  const key = groupBy === null ? tx`null::text` : tx`${tx(`a.${groupBy}`)}`;
  const rows = await tx<{ key: string | null; t: number; alerts: number }[]>`
    with chosen as (
      select ${key} as key, date_bin(${`${stepMs} milliseconds`}::text::interval, a.fired_at, timestamptz 'epoch') as t
      from alerts a where ${alertCondition(tx, organizationId, request)}
    )
    select null as key, t, count(*)::int as alerts from chosen group by t
    union all
    select key, t, count(*)::int as alerts from chosen where key = any(${keys}::text[]) group by key, t
    order by 2`;
  const points = new Map<string | null, Points>();
  for (const { key: of, t, alerts } of rows) {
    const known = points.get(of) ?? [];
    known.push({ t: toIso(t), alerts });
    points.set(of, known);
  }
  return points;
}

function fieldsOf({
  key: _key,
  name: _name,
  is_total: _isTotal,
  groups: _groups,
  ...fields
}: CountRow): AlertCountFields {
  return fields;
}
