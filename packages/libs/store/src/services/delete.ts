import { cloudEvent } from '@tidewatch/contracts/events/event';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { appendEvents } from '../outbox/append.ts';
import { bumpRevision } from '../revisions/revisions.ts';
import { type ServiceRow, serviceAnswer, serviceColumns } from './row.ts';

/** Marks a service as deleted at `now` (ms), so that no API answer contains it; false if there is none. Retention drops its data. */
export async function deleteService(
  tx: Transaction,
  write: { organizationId: string; id: string; eventId: string; now: number; audit: AuditTrail },
): Promise<boolean> {
  const { organizationId, id, eventId, now } = write;
  const [row] = await tx<ServiceRow[]>`
    select ${serviceColumns(tx)}
    from services s left join service_live l on l.organization_id = s.organization_id and l.service_id = s.id
    where s.organization_id = ${organizationId} and s.id = ${id} and s.deleted_at is null
    for update of s`;
  if (row === undefined) return false;
  await tx`update services set deleted_at = ${now} where organization_id = ${organizationId} and id = ${id}`;
  const { name, status, status_reasons, status_since, last_seen, tags } = serviceAnswer(row);
  const service = { id, name, host: name, status, status_reasons, status_since, last_seen, tags };
  const event = cloudEvent({
    id: eventId,
    organizationId,
    type: 'service.deleted',
    subject: id,
    time: toIso(now),
    data: { service },
  });
  await appendEvents(tx, [{ organizationId, event }]);
  await recordAudit(tx, write.audit, [
    {
      action: 'service.deleted',
      object: { type: 'service', id, name },
      before: { id, name, tags },
      after: null,
    },
  ]);
  await bumpRevision(tx, 'services');
  return true;
}
