import type { Event } from '@tidewatch/api-client/events';
import { compilePattern } from '@tidewatch/domain/rules/pattern';
import { eventWords } from './event-words.ts';

/** The filter of the list, as the URL has it. */
export interface EventFilter {
  types?: readonly string[] | undefined;
  /** A pattern of host names; `*` is any run of characters. */
  host?: string | undefined;
  severity?: string | undefined;
}

/** Selects events as `GET /api/v1/events` does: an event about no host matches no host. */
export function eventFilter({ types, host, severity }: EventFilter): (event: Event) => boolean {
  const wanted = types === undefined || types.length === 0 ? null : new Set(types);
  const isHost = host === undefined ? null : compilePattern(host);
  return (event) => {
    if (wanted !== null && !wanted.has(event.type)) return false;
    if (isHost === null && severity === undefined) return true;
    const words = eventWords(event, 'utc');
    return (
      (isHost === null || (words.host !== null && isHost(words.host))) &&
      (severity === undefined || words.severity === severity)
    );
  };
}
