import { type ArchiveAfter, isArchivable } from '@tidewatch/domain/health/archiving';
import type { Sql } from '@tidewatch/store/database/connection';
import { readOfflineSince } from '@tidewatch/store/health/archive';
import { deleteFlapsBefore } from '@tidewatch/store/rule-states/flaps';
import type { ServiceKey } from '@tidewatch/store/rule-states/read';
import type { SilenceWatch } from './silence-watch.ts';

/** How often it is looked, ms, and how many are archived at once: a fleet that is gone takes a while. */
const EVERY_MS = 60_000;
const MAX_AT_ONCE = 1_000;
const FLAPS_KEPT_MS = 86_400_000;

/** Finds what nobody will ask for any more: services that have been offline for very long, and flaps of yesterday. */
export class Archiving {
  #dueAt = 0;

  /**
   * The services to archive at `now` (ms), none between two looks. Only those that were silent for a full period since
   * they are watched, so that nobody is archived because we were away.
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
