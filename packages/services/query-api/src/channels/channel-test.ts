import type { ChannelTest } from '@tidewatch/contracts/channels/channel';
import type { Destination, Outcome } from '@tidewatch/destinations/notice';
import { testNotice } from '@tidewatch/domain/notification/test-notice';
import type { AuditTrail } from '@tidewatch/store/audit/record';
import { recordTest } from '@tidewatch/store/channels/deliveries';
import type { QueryApiOptions } from '../query-api-options.ts';

/**
 * Sends one test message and records its outcome. Resolves the incident that it opened at PagerDuty.
 */
export async function testChannel(
  { sql, sender, clock, newId }: QueryApiOptions,
  organizationId: string,
  destination: Destination,
  audit: AuditTrail,
): Promise<ChannelTest> {
  const began = performance.now();
  const ids = {
    organization: organizationId,
    rule: newId('rul'),
    service: newId('svc'),
    alert: newId('alr'),
  };
  const send = (transition: 'fired' | 'resolved', reference: string | null): Promise<Outcome> => {
    const notice = testNotice(transition, destination.name, { ...ids, event: newId('evt') }, clock());
    return sender.send(destination, notice, reference);
  };
  let outcome = await send('fired', null);
  if (outcome.status === 'delivered' && destination.kind === 'pagerduty')
    outcome = await send('resolved', outcome.reference);
  const { status } = outcome;
  const error = outcome.status === 'failed' ? outcome.error : null;
  const delivery = { organizationId, channelId: destination.id, status, at: clock(), error };
  await sql.begin((tx) => recordTest(tx, delivery, destination.name, audit));
  return { status, error, duration_ms: Math.round(performance.now() - began) };
}
