import type { components } from '@tidewatch/api-client/generated/api';
import { HOUR_MS } from '@tidewatch/contracts/time/duration';
import type { Zone } from '../../components/time/time-format.ts';
import { visibleText } from '../../components/visible-text.ts';
import type { Alert } from '../../live/alert-filter.ts';

export type SilenceInput = components['schemas']['SilenceInput'];

/** What a silence of an alert covers. */
export const SCOPES = {
  alert: 'this rule on this host',
  host: 'everything on this host',
  rule: 'this rule on every host',
} as const;

export type SilenceScope = keyof typeof SCOPES;

/** How long a silence lasts. */
export const DURATIONS = {
  '1h': '1 hour',
  '4h': '4 hours',
  '09:00': 'until 09:00',
  custom: 'until …',
} as const;

export type SilenceDuration = keyof typeof DURATIONS;

/** What may be silenced: a host, and with an alert its rule. */
export interface SilenceTarget {
  host: string;
  rule?: { id: string; name: string };
}

/** What may be silenced of an alert. */
export function silenceTarget({
  host,
  rule_id,
  rule_name,
}: Pick<Alert, 'host' | 'rule_id' | 'rule_name'>): SilenceTarget {
  return { host, rule: { id: rule_id, name: rule_name } };
}

export function matchersOf(scope: SilenceScope, { host, rule }: SilenceTarget): SilenceInput['matchers'] {
  return {
    ...(scope !== 'rule' && { hosts: [host] }),
    ...(scope !== 'host' && rule && { rule_ids: [rule.id] }),
  } as SilenceInput['matchers'];
}

/** What is matched, as it is shown: "host=db-03, rule=Memory is full". */
export function matchedText(scope: SilenceScope, { host, rule }: SilenceTarget): string {
  return [
    ...(scope === 'rule' ? [] : [`host=${visibleText(host)}`]),
    ...(scope === 'host' || rule === undefined ? [] : [`rule=${visibleText(rule.name)}`]),
  ].join(', ');
}

/** The end of a silence that begins at `from`, ms; NaN where `custom` is no time. `custom` is that of the field, in `zone`. */
export function endOf(duration: SilenceDuration, from: number, custom: string, zone: Zone): number {
  switch (duration) {
    case '1h':
      return from + HOUR_MS;
    case '4h':
      return from + 4 * HOUR_MS;
    case '09:00':
      return nextNine(from, zone);
    case 'custom':
      return Date.parse(zone === 'utc' ? `${custom}Z` : custom);
  }
}

function nextNine(from: number, zone: Zone): number {
  const end = new Date(from);
  if (zone === 'utc') end.setUTCHours(9, 0, 0, 0);
  else end.setHours(9, 0, 0, 0);
  // The day may have 23 or 25 hours, which adding a day of the calendar respects.
  if (end.getTime() > from) return end.getTime();
  if (zone === 'utc') end.setUTCDate(end.getUTCDate() + 1);
  else end.setDate(end.getDate() + 1);
  return end.getTime();
}

/** The name of the zone of a silence, by IANA. */
export function zoneOf(zone: Zone): string {
  return zone === 'utc' ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone;
}
