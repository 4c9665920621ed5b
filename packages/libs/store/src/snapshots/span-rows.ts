import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';
import type { SnapshotSpan } from './snapshot-reader.ts';

/** SQL of the spans as rows `r`, with their index as `place` and their range as `since` and `until`. */
export function spansOf(sql: Queryable, spans: readonly SnapshotSpan[]) {
  const rows = spans.map(({ organizationId: org, serviceId: id, from, to }, place) => ({
    place,
    org,
    id,
    since: timeText(from),
    until: timeText(to),
  }));
  return sql`json_to_recordset(${JSON.stringify(rows)}::text::json)
    as r(place int, org text, id text, since timestamptz, until timestamptz)`;
}

/** The text of a time (ms) as SQL has it, also of an infinite one. */
export const timeText = (time: number): string =>
  Number.isFinite(time) ? toIso(time) : time < 0 ? '-infinity' : 'infinity';
