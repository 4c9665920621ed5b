import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { PagerdutyConfig } from '@tidewatch/contracts/channels/channel-config';
import type { NoticeContent } from '@tidewatch/domain/notification/content';
import {
  type PagerdutyEvent,
  pagerdutyResolve,
  pagerdutyTrigger,
} from '@tidewatch/domain/notification/pagerduty-event';
import type { HttpAttempt } from '../http/guarded-client.ts';
import { outcomeOf } from '../http/outcome.ts';
import type { Notice, Outcome } from '../sender.ts';

/** The provider takes 120 events a minute for a key. */
const MAX_RESOLVED = 50;
const AT_ONCE = 5;

/**
 * Opens, changes or closes the incident of an alert, whose key is the alert's id. A digest of firings is one incident,
 * which a person closes: which alerts it stands for is not known afterwards. A digest of resolutions closes the
 * incidents of the alerts that fired first, since only these were told one by one.
 */
export async function sendPagerduty(
  http: HttpAttempt,
  config: PagerdutyConfig,
  notice: Notice,
  content: NoticeContent,
  now: number,
): Promise<Outcome> {
  const send = async (event: PagerdutyEvent): Promise<Outcome> => {
    const body = JSON.stringify({ routing_key: config.routing_key, ...event });
    const exchange = await http.post(config.api_url, { 'content-type': 'application/json' }, body);
    return outcomeOf(exchange, now, exchange.answered ? wordOf(exchange.text) : null);
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
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return outcome;
}

/** PagerDuty's own words for a refusal: `{ "status": "invalid event", "message": … }`. */
function wordOf(text: string): string | null {
  const match = /"status"\s*:\s*"([a-z ]{1,60})"/.exec(text.slice(0, 2_000));
  return match?.[1] ?? null;
}
