import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '../database/connection.ts';
import type { ServiceKey } from './read.ts';

/** The newest end of a rule's alerts of a subject that a sample brought about. */
export interface EndedAlert {
  serviceId: string;
  ruleId: string;
  subjectKind: Subject['kind'];
  subjectName: string;
  /** The time of the sample, ms. */
  resolvedAt: number;
}

/**
 * When alerts of the named services ended last, of those that fired, or were stored by backfilled samples, from `since` (ms)
 * on. A request that is sent again because a process ended within it may hold samples that were evaluated before: they are
 * not newer than this.
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
        where a.org_id = r.org and a.service_id = r.id and a.fired_at >= ${since}::timestamptz and a.status = 'resolved'
        union all
        select * from alerts a
        where a.org_id = r.org and a.service_id = r.id and a.created_at >= ${since}::timestamptz
          and a.backfilled and a.status = 'resolved' and a.fired_at < ${since}::timestamptz) a
      where a.resolution = 'recovered' and a.metric <> 'host.silent_minutes'
      group by 1, 2, 3) a`;
}
