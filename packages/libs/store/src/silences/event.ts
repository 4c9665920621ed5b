import { cloudEvent, type Event } from '@tidewatch/contracts/events/event';
import { toIso } from '@tidewatch/contracts/time/time';
import { type SilenceRow, silenceAnswer } from './row.ts';

/** An event about a silence, with its fields at `now` (ms). */
export function silenceEvent(
  id: string,
  type: 'silence.created' | 'silence.ended',
  row: SilenceRow,
  now: number,
): Event {
  return cloudEvent({
    id,
    organizationId: row.organization_id,
    type,
    subject: row.id,
    time: toIso(now),
    data: { silence: silenceAnswer(row, now) },
  });
}
