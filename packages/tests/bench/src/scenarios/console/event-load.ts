import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, ingestAll } from '../../api.ts';
import { ACTIVE_ALERTS, HOSTS, payloadOf } from './fill.ts';

const TICK_MS = 200;
/** An alert is resolved so long after it fired, ms. */
const ACTIVE_MS = 10_000;
/** Every host reports once in so long, ms. */
const REPORT_MS = 60_000;

/**
 * Makes alerts fire and resolve at this rate of events a second, half of them each, while the whole fleet goes on reporting, since
 * silent hosts would become events, too. Resolves to the number of events.
 */
export async function sendEvents(api: Api, rate: number, seconds: number): Promise<number> {
  const began = performance.now();
  const perMs = rate / 2 / 1_000;
  const idle = HOSTS - ACTIVE_ALERTS;
  let [fired, resolved, reported] = [0, 0, 0];
  /** Whether the host has an alert now: from the beginning, or since it was made to fire. */
  const isBreaching = (host: number) =>
    host >= idle || (host - (resolved % idle) + idle) % idle < fired - resolved;
  for (;;) {
    const elapsed = performance.now() - began;
    const fireUntil = Math.floor(Math.min(elapsed, seconds * 1_000) * perMs);
    const resolveUntil = Math.floor(Math.max(0, elapsed - ACTIVE_MS) * perMs);
    const reportUntil = Math.floor((elapsed * HOSTS) / REPORT_MS);
    const payloads: object[] = [];
    for (; fired < fireUntil; fired += 1) payloads.push(payloadOf(fired % idle, { breaches: true }));
    for (; resolved < Math.min(resolveUntil, fired); resolved += 1) payloads.push(payloadOf(resolved % idle));
    for (; reported < reportUntil; reported += 1) {
      const host = reported % HOSTS;
      payloads.push(payloadOf(host, { breaches: isBreaching(host) }));
    }
    if (payloads.length > 0) await ingestAll(api, payloads);
    if (elapsed > seconds * 1_000 && resolved === fired) return fired + resolved;
    await sleep(TICK_MS);
  }
}
