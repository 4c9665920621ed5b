import type { Event } from '@tidewatch/api-client/events';
import type { Schema } from '@tidewatch/api-client/schema';
import { compilePatterns } from '@tidewatch/domain/rules/pattern';

export interface ReportedHost {
  id: string;
  name: string;
}

/** The hosts that registered or came back since the key was created, as far as it may report for them. */
export function hostsOfEvents(
  events: readonly Event[],
  { created_at, hosts }: Pick<Schema<'Key'>, 'created_at' | 'hosts'>,
): ReportedHost[] {
  const isAllowed = hosts === null ? () => true : compilePatterns(hosts);
  return events
    .filter(({ time }) => Date.parse(time) >= Date.parse(created_at))
    .flatMap(({ type, data }) => {
      const isReport = type === 'service.registered' || type === 'service.online';
      return isReport && 'service' in data ? [data.service] : [];
    })
    .filter(({ name }) => isAllowed(name))
    .map(({ id, name }) => ({ id, name }))
    .toReversed();
}
