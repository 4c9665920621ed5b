import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { PagerdutyConfig } from '@tidewatch/contracts/channels/kinds/pagerduty';
import type { NoticeContent } from '@tidewatch/domain/notification/content';
import type { ChannelSender } from '../channel-sender.ts';
import type { HttpAttempt } from '../http/guarded-client.ts';
import { outcomeOf } from '../http/outcome.ts';
import type { Notice, Outcome } from '../notice.ts';
import { type PagerdutyEvent, pagerdutyResolve, pagerdutyTrigger } from './pagerduty-event.ts';

/** The max number of incidents that one digest resolves: PagerDuty accepts 120 events a minute for a routing key. */
const MAX_RESOLVED = 50;
const MAX_CONCURRENT = 5;

/**
 * Opens, updates or resolves the incident of an alert, whose key is the alert's id. A digest of firings opens one incident,
 * which a person resolves. A digest of resolutions resolves the incidents of the alerts that fired first, since only these
 * were notified one by one.
 */
async function sendPagerduty(
  http: HttpAttempt,
  config: PagerdutyConfig,
  notice: Notice,
  content: NoticeContent,
  now: number,
): Promise<Outcome> {
  const send = async (event: PagerdutyEvent): Promise<Outcome> => {
    const body = JSON.stringify({ routing_key: config.routing_key, ...event });
    const exchange = await http.post(config.api_url, { 'content-type': 'application/json' }, body);
    return outcomeOf(exchange, now, exchange.answered ? errorCodeOf(exchange.text) : null);
  };
  const [first] = notice.alerts;
  if (content.resolved) return resolveAll(notice.alerts, (alert) => send(pagerdutyResolve(alert.id)));
  const key = notice.transition === 'digest' ? notice.event.id : (first as Alert).id;
  const outcome = await send(pagerdutyTrigger(key, content, first as Alert));
  return outcome.status === 'delivered' ? { ...outcome, reference: key } : outcome;
}

async function resolveAll(
  alerts: readonly Alert[],
  resolve: (alert: Alert) => Promise<Outcome>,
): Promise<Outcome> {
  const earliest = [...alerts].sort((a, b) => Date.parse(a.fired_at) - Date.parse(b.fired_at));
  const waiting = earliest.slice(0, MAX_RESOLVED);
  let outcome: Outcome = { status: 'delivered', reference: null };
  const work = async () => {
    for (let alert = waiting.shift(); alert !== undefined; alert = waiting.shift()) {
      const one = await resolve(alert);
      if (one.status === 'delivered') continue;
      outcome = one;
      waiting.length = 0;
    }
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT }, work));
  return outcome;
}

/** The code in PagerDuty's refusal: `{ "status": "invalid event", "message": … }`. */
function errorCodeOf(text: string): string | null {
  const match = /"status"\s*:\s*"([a-z ]{1,60})"/.exec(text.slice(0, 2_000));
  return match?.[1] ?? null;
}

export const pagerdutySender: ChannelSender<PagerdutyConfig> = {
  sendAlert: ({ http, config, notice, content, now }) =>
    sendPagerduty(http(), config, notice, content(), now),
};
