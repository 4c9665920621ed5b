import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { type ArchiveAfter, isArchivable } from '@tidewatch/domain/health/archiving';
import { readOfflineSince } from '@tidewatch/store/health/archive';
import { deleteFlapsBefore } from '@tidewatch/store/rule-states/flaps';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { SilenceWatch } from './silence-watch.ts';

/** Interval of looking for hosts to archive, and how many are archived at once. */
const EVERY_MS = MINUTE_MS;
const MAX_AT_ONCE = 1_000;
const FLAPS_KEPT_MS = DAY_MS;

/** Finds hosts that have been offline for long enough to archive, and deletes flaps older than a day. */
export class Archiving {
  #dueAt = 0;

  /**
   * Returns the hosts to archive at `now` (ms); none if the last check was less than a minute ago. Only hosts that were
   * silent for a full grace period while watched, because no payload is expected while no evaluator runs.
   */
  async due(sql: Sql, after: ArchiveAfter, silence: SilenceWatch, now: number): Promise<ServiceKey[]> {
    if (now < this.#dueAt) return [];
    this.#dueAt = now + EVERY_MS;
    await deleteFlapsBefore(sql, now - FLAPS_KEPT_MS, MAX_AT_ONCE);
    const before = now - Math.min(after.anyMs, after.ephemeralMs);
    const offline = await readOfflineSince(sql, before, MAX_AT_ONCE);
    return offline.filter(
      ({ id, tags, since }) => silence.isSilent(id) && isArchivable(after, tags, since, now),
    );
  }
}
