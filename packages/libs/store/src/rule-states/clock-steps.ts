import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/** A host whose clock was set back, and which has not reached the time before the step again. Times in ms. */
export interface ClockStepWrite {
  organizationId: string;
  serviceId: string;
  /** The newest evaluated time before the step, by the clock before it. */
  newestBefore: number;
  /** The newest evaluated time since the step. */
  evaluatedUntil: number;
  /** By how many ms earlier times of the host were moved; below 0. */
  movedByMs: number;
}

/** Stores clock steps; a call may contain each host once. */
export async function upsertClockSteps(tx: Queryable, steps: readonly ClockStepWrite[]): Promise<void> {
  if (steps.length === 0) return;
  const rows = steps.map((step) => ({
    org: step.organizationId,
    service: step.serviceId,
    before: toIso(step.newestBefore),
    until: toIso(step.evaluatedUntil),
    by: step.movedByMs,
  }));
  await tx`
    insert into clock_steps (organization_id, service_id, newest_before, evaluated_until, moved_by_ms)
    select org, service, before, until, by
    from json_to_recordset(${JSON.stringify(rows)}::text::json)
      as r(org text, service text, before timestamptz, until timestamptz, by float8)
    order by org, service
    on conflict (organization_id, service_id) do update set newest_before = excluded.newest_before,
      evaluated_until = excluded.evaluated_until, moved_by_ms = excluded.moved_by_ms`;
}

/** Deletes the clock steps of hosts. */
export async function deleteClockSteps(
  tx: Queryable,
  services: readonly { org: string; id: string }[],
): Promise<void> {
  if (services.length === 0) return;
  await tx`
    delete from clock_steps s using json_to_recordset(${JSON.stringify(services)}::text::json) as r(org text, id text)
    where s.organization_id = r.org and s.service_id = r.id`;
}
