import { toIso } from '@tidewatch/contracts/time/time';
import type { Severity } from '@tidewatch/contracts/values/severity';
import type { Subject } from '@tidewatch/contracts/values/subject';
import type { Queryable } from '@tidewatch/database/connection';
import type { FlapLog } from '@tidewatch/domain/alerting/flapping';
import type { StateKey } from './write.ts';

/** The flap log of one alert instance. */
export interface StoredFlaps extends StateKey {
  log: FlapLog;
}

interface FlapsRow {
  organizationId: string;
  ruleId: string;
  serviceId: string;
  kind: Subject['kind'];
  name: string;
  times: number[];
  severities: Severity[];
  flapping: Severity | null;
}

/** The flap logs of the services. */
export async function readFlaps(sql: Queryable, serviceIds: readonly string[]): Promise<StoredFlaps[]> {
  const rows = await sql<FlapsRow[]>`
    select organization_id as "organizationId", rule_id as "ruleId", service_id as "serviceId", subject_kind as kind,
      subject_name as name, times, severities, flapping_severity as flapping
    from flaps where service_id in (select json_array_elements_text(${JSON.stringify(serviceIds)}::text::json))`;
  return rows.map(({ kind, name, times, severities, flapping, ...key }) => ({
    ...key,
    subject: { kind, name },
    log: {
      flaps: times.map((at, i) => ({ at, severity: severities[i] ?? 'warning' })),
      flapping,
    },
  }));
}

/** Stores flap logs; a call may contain each key once. */
export async function upsertFlaps(tx: Queryable, flaps: readonly StoredFlaps[]): Promise<void> {
  if (flaps.length === 0) return;
  const rows = flaps.map(({ organizationId, ruleId, serviceId, subject, log }) => ({
    org: organizationId,
    rule: ruleId,
    service: serviceId,
    kind: subject.kind,
    name: subject.name,
    times: log.flaps.map(({ at }) => toIso(at)),
    severities: log.flaps.map(({ severity }) => severity),
    flapping: log.flapping,
    last: toIso(log.flaps.at(-1)?.at ?? 0),
  }));
  await tx`
    insert into flaps (organization_id, rule_id, service_id, subject_kind, subject_name, times, severities, flapping_severity,
      last_at)
    select org, rule, service, kind, name, array(select json_array_elements_text(times)::timestamptz), severities,
      flapping, last
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(org text, rule text, service text, kind text,
      name text, times json, severities text[], flapping text, last timestamptz)
    order by org, rule, service, kind, name
    on conflict (organization_id, rule_id, service_id, subject_kind, subject_name) do update set
      times = excluded.times, severities = excluded.severities, flapping_severity = excluded.flapping_severity,
      last_at = excluded.last_at`;
}

/** Deletes up to `limit` flap logs whose last flap is before a time (ms); returns how many. */
export async function deleteFlapsBefore(tx: Queryable, before: number, limit: number): Promise<number> {
  const rows = await tx`
    delete from flaps where (organization_id, rule_id, service_id, subject_kind, subject_name) in (
      select organization_id, rule_id, service_id, subject_kind, subject_name from flaps
      where last_at < ${before}::timestamptz limit ${limit} for update skip locked)`;
  return rows.count;
}
