import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { ArchiveAfter } from '@tidewatch/domain/health/archiving';
import { type ConfigOf, setting, wholeNumber } from '@tidewatch/runtime/settings/config';

/** How long hosts may be offline before they are archived. */
export const archivingSettings = {
  archiveAfterDays: setting({
    env: 'TIDEWATCH_ARCHIVE_AFTER_DAYS',
    schema: wholeNumber(1, 3_650).default(7),
    meaning: 'After how long offline a service is archived, in days.',
    example: '30',
  }),
  archiveEphemeralAfterHours: setting({
    env: 'TIDEWATCH_ARCHIVE_EPHEMERAL_AFTER_HOURS',
    schema: wholeNumber(1, 87_600).default(24),
    meaning: 'The same for services with the tag ephemeral: "true", in hours.',
    example: '1',
  }),
};

/** The time limits of the archiving settings in ms. */
export function archiveAfter(config: ConfigOf<typeof archivingSettings>): ArchiveAfter {
  return {
    anyMs: config.archiveAfterDays * DAY_MS,
    ephemeralMs: config.archiveEphemeralAfterHours * HOUR_MS,
  };
}
