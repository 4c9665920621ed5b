import type { EventType } from '@tidewatch/contracts/events/event-types';

/**
 * What each kind of event makes stale, by the first member of the keys of cached reads. `alert.*` events change lists of
 * alerts themselves (alert-lists.ts), so that these are not read again.
 */
const AFFECTED: Readonly<Record<string, readonly string[]>> = {
  alert: ['summary', 'alert-counts', 'alert-evidence', 'notifications', 'service', 'related-alerts'],
  service: ['services', 'service', 'summary'],
  rule: ['rules', 'rule'],
  investigation: ['investigations', 'investigation'],
  silence: ['silences', 'silence', 'services', 'service', 'summary'],
  channel: ['channels', 'channel', 'summary'],
  notification: ['notifications', 'alert', 'channels', 'channel', 'summary'],
  key: ['keys', 'session'],
  pipeline: ['summary', 'readiness'],
};

/** The names of the reads that an event makes stale; none where the type is not known. */
export function affectedReads(type: EventType): readonly string[] {
  const [noun = ''] = type.split('.');
  return AFFECTED[noun] ?? [];
}
