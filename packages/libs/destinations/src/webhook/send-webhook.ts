import type { WebhookConfig } from '@tidewatch/contracts/channels/channel-config';
import type { Event } from '@tidewatch/contracts/events/event';
import type { HttpAttempt } from '../http/guarded-client.ts';
import { outcomeOf } from '../http/outcome.ts';
import type { Outcome } from '../notice.ts';
import { signatureHeaders } from './signature.ts';

/** Posts the event as it is, signed by Standard Webhooks. The channel's own headers cannot override the signature. */
export async function sendWebhook(
  http: HttpAttempt,
  config: WebhookConfig,
  event: Event,
  now: number,
): Promise<Outcome> {
  const body = JSON.stringify(event);
  const own = Object.entries(config.headers).map(([name, value]) => [name.toLowerCase(), value]);
  const headers = {
    'content-type': 'application/json',
    ...Object.fromEntries(own),
    ...signatureHeaders(config.secret, event.id, body, now),
  };
  return outcomeOf(await http.post(config.url, headers, body), now);
}
