import type { WebhookConfig } from '@tidewatch/contracts/channels/kinds/webhook';
import type { Event } from '@tidewatch/contracts/events/event';
import type { Attempt, ChannelSender } from '../channel-sender.ts';
import type { HttpAttempt } from '../http/guarded-client.ts';
import { outcomeOf } from '../http/outcome.ts';
import type { Outcome } from '../notice.ts';
import { signatureHeaders } from './signature.ts';

/** Posts the event unchanged, signed by Standard Webhooks. The channel's own headers cannot override the signature. */
async function sendWebhook(
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

const send = ({ http, config, notice, now }: Attempt<WebhookConfig>) =>
  sendWebhook(http(), config, notice.event, now);

export const webhookSender: ChannelSender<WebhookConfig> = { sendAlert: send, sendEvent: send };
