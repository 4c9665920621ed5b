import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { Sql } from '@tidewatch/database/connection';
import { MAX_SKEW_MS } from '@tidewatch/domain/alerting/skew';
import { comesAfter, type ListOrder, orderBy } from '../lists/order.ts';
import { cutRows, type Fragment, pageAndTotal } from '../lists/page-rows.ts';
import { type ListPart, type PageWindow, readPart } from '../lists/page-window.ts';
import { alertNotifications } from '../notifications/of-alert.ts';
import { alertTotal } from './count.ts';
import { type AlertFilter, alertCondition } from './filter.ts';
import { isLate, LATE_MS } from './lateness.ts';
import { isBySeverity, severityRank } from './severity-rank.ts';
import { type AlertRow, alertRecord } from './write-row.ts';

/** Versions span at most 2^32 seconds. */
const MAX_SPAN = 32;

/** The columns of an alert that may change, which its versions store. */
const VERSIONED = [
  'status',
  'state',
  'severity',
  'rule_version',
  'condition',
  'threshold',
  'threshold_max',
  'value',
  'peak_value',
  'flap_count',
  'resolved_at',
  'resolution',
  'acknowledged_at',
  'acknowledged_by',
  'silenced_by',
  'comments',
  'investigation_id',
  'updated_at',
] as const;

/**
 * The list of alerts as of a time (ms). Alerts that have not changed since are read from `alerts`, the others from the version
 * that was valid then. The cost depends on the number of alerts that existed then and changed since, not on those that came since.
 */
export async function listAlertsAsOf(
  sql: Sql,
  organizationId: string,
  filter: AlertFilter,
  asOf: number,
  order: ListOrder,
  window: PageWindow<readonly [string | number, string]>,
): Promise<ListPart<Alert>> {
  const changed = changedSince(sql, organizationId, asOf);
  const now = alertCondition(sql, organizationId, filter);
  const then = alertCondition(sql, organizationId, filter, 'v');
  const ofChanged = sql`from changed v join alerts a on a.organization_id = ${organizationId} and a.id = v.alert_id`;
  const columns = (of: 'a' | 'v') => sql`a.id, a.fired_at, a.created_at, ${severityRank(sql, of)}`;
  // Alerts fire at most `MAX_SKEW_MS` after they are created, so this bound lets counters and the default order skip newer ones.
  const bound = asOf + MAX_SKEW_MS + 1;
  const existed = sql`a.created_at <= ${asOf} and a.fired_at < ${bound}`;
  const unchanged = sql`
    select ${columns('a')} from alerts a
    where ${now} and ${existed} and a.id not in (select alert_id from changed)`;
  const asTheyWere = sql`select ${columns('v')} ${ofChanged} where ${then} and ${existed}`;
  const total = sql`
    (${alertTotal(sql, organizationId, { ...filter, to: Math.min(filter.to ?? bound, bound) })})
    - (select count(*) from alerts a where ${now} and a.fired_at < ${bound} and ${createdSoonAfter(sql, asOf)})
    - (select count(*) from alerts a where ${now} and a.fired_at < ${bound} and a.created_at > ${asOf} and ${isLate(sql)})
    + (select count(*) filter (where ${then}) - count(*) filter (where ${now}) ${ofChanged} where ${existed})`;
  const part = await readPart<AlertRow & { total: number }>(
    window,
    async () => {
      const [row] = await sql<{ total: number }[]>`with ${changed} select (${total})::int as total`;
      return row?.total ?? 0;
    },
    ({ skip, take, backwards }, known) => {
      const by = orderBy(sql, order, backwards);
      const after = comesAfter(sql, order, window.after) ?? sql``;
      // Each part has a limit of its own, because PostgreSQL would otherwise sort the whole union.
      const [some, others] = [unchanged, asTheyWere].map((part) =>
        cutRows(
          sql,
          {
            rows: isBySeverity(order)
              ? sql`select * from (${part}) p where true ${after}`
              : sql`${part} ${after}`,
            order: by,
          },
          0,
          skip + take,
        ),
      ) as [Fragment, Fragment];
      const rows = sql`select * from ((${some}) union all (${others})) l where true`;
      const list = { rows, total: sql`select ${total}`, order: by, after: null };
      return sql`
        with ${changed}, ${pageAndTotal(sql, list, { skip, take }, known)}
        select (select total from counted) as total, a.*, ${alertNotifications(sql, asOf)}${versioned(sql)}
        from page join alerts a on a.organization_id = ${organizationId} and a.id = page.id
        left join changed c on c.alert_id = page.id
        left join alert_versions v on v.organization_id = ${organizationId} and v.alert_id = c.alert_id and v.number = c.number
        order by ${orderBy(sql, order, false, 'page')}`;
    },
  );
  return { total: part.total, rows: part.rows.map((row) => alertRecord(row) as Alert) };
}

/**
 * The common table expression `changed`: the version at `asOf` of every alert that existed then and changed since, with the columns by
 * which lists are filtered. A version that spans at most 2^n seconds ends within as many after a time that lies in it.
 */
function changedSince(sql: Sql, organizationId: string, asOf: number): Fragment {
  return sql`changed as materialized (
    select distinct on (v.alert_id) v.alert_id, v.number, v.status, v.severity, v.acknowledged_at
    from generate_series(0, ${MAX_SPAN}::int) n cross join lateral (
      select * from alert_versions
      where organization_id = ${organizationId} and span = n and created_at <= ${asOf}
        and until > ${asOf} and until <= ${asOf}::timestamptz + power(2, n) * interval '1 second'
      offset 0
    ) v
    order by v.alert_id, v.number
  )`;
}

/** The condition that an alert which fired by `asOf` and the skew was created after `asOf` and is not late. */
function createdSoonAfter(sql: Sql, asOf: number): Fragment {
  const latest = asOf + MAX_SKEW_MS + LATE_MS;
  return sql`a.created_at > ${asOf} and a.created_at <= ${latest} and not ${isLate(sql)}`;
}

/** The columns of a version, selected after those of the alert, so that they replace them. */
function versioned(sql: Sql): Fragment {
  return VERSIONED.reduce<Fragment>(
    (list, name) =>
      sql`${list}, case when v.alert_id is null then ${sql(`a.${name}`)} else ${sql(`v.${name}`)} end as ${sql(name)}`,
    sql``,
  );
}
