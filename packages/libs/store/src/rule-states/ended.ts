import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import type { ServiceKey } from './read.ts';

/** The newest alert of a rule and subject that a sample resolved. */
export interface EndedAlert {
  serviceId: string;
  ruleId: string;
  subjectKind: Subject['kind'];
  subjectName: string;
  /** The time of the sample, ms. */
  resolvedAt: number;
}

/**
 * The last resolution for each rule and subject of the services, ms, among alerts that fired (if backfilled: were stored)
 * at or after `since` (ms). Samples of a retried request that are not newer were evaluated already.
 */
export async function readEndedAlerts(
  sql: Queryable,
  services: readonly ServiceKey[],
  since: number,
): Promise<EndedAlert[]> {
  return sql<EndedAlert[]>`
    select r.id as "serviceId", a.* from json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    cross join lateral (
      select a.rule_id as "ruleId", a.subject_kind as "subjectKind", a.subject_name as "subjectName",
        (extract(epoch from max(a.resolved_at)) * 1000)::float8 as "resolvedAt"
      from (
        select * from alerts a
        where a.organization_id = r.org and a.service_id = r.id and a.fired_at >= ${since}::timestamptz and a.status = 'resolved'
        union all
        select * from alerts a
        where a.organization_id = r.org and a.service_id = r.id and a.created_at >= ${since}::timestamptz
          and a.backfilled and a.status = 'resolved' and a.fired_at < ${since}::timestamptz) a
      where a.resolution = 'recovered' and a.metric <> 'host.silent_minutes'
      group by 1, 2, 3) a`;
}
