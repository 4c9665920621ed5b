import type { Marker, MarkerInput } from '@tidewatch/contracts/markers/marker';
import type { Actor } from '@tidewatch/contracts/values/actor';
import type { Transaction } from '@tidewatch/database/connection';
import { type AuditTrail, recordAudit } from '../audit/record.ts';
import { requireRoom } from '../limits/require-room.ts';
import { type MarkerRow, markerAnswer, markerColumns } from './row.ts';

/** The inputs of a write: organization, id, time (ms) and audit trail. */
export interface MarkerWrite {
  organizationId: string;
  id: string;
  now: number;
  audit: AuditTrail;
}

/** Stores a new marker; the organization may have at most `maxMarkers`. `at` in ms. */
export async function insertMarker(
  tx: Transaction,
  { organizationId, id, now, audit, maxMarkers }: MarkerWrite & { maxMarkers: number },
  { title, selector, tags, at }: MarkerInput & { at: number },
  actor: Actor,
): Promise<Marker> {
  await requireRoom(tx, organizationId, { kind: 'markers', max: maxMarkers });
  const [row] = await tx<MarkerRow[]>`
    insert into markers as m (organization_id, id, title, at, selector, tags, created_at, created_by)
    values (${organizationId}, ${id}, ${title}, ${at}, ${tx.json(selector as never)}, ${tx.json(tags)}, ${now},
      ${tx.json(actor)})
    returning ${markerColumns(tx)}`;
  const marker = markerAnswer(row as MarkerRow);
  await recordAudit(tx, audit, [
    { action: 'marker.created', object: objectOf(marker), before: null, after: marker },
  ]);
  return marker;
}

/** Deletes a marker; false if there is none. */
export async function deleteMarker(
  tx: Transaction,
  { organizationId, id, audit }: MarkerWrite,
): Promise<boolean> {
  const [row] = await tx<MarkerRow[]>`
    delete from markers m where m.organization_id = ${organizationId} and m.id = ${id} returning ${markerColumns(tx)}`;
  if (row === undefined) return false;
  const marker = markerAnswer(row);
  await recordAudit(tx, audit, [
    { action: 'marker.deleted', object: objectOf(marker), before: marker, after: null },
  ]);
  return true;
}

function objectOf({ id, title }: Marker) {
  return { type: 'marker' as const, id, name: title };
}
