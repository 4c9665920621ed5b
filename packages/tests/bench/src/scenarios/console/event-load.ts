import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, ingestAll } from '../../api.ts';
import { ACTIVE_ALERTS, HOSTS, payloadOf } from './fill.ts';

const TICK_MS = 200;
/** An alert is resolved so long after it fired, ms. */
const ACTIVE_MS = 10_000;

/** Makes alerts fire and resolve at this rate of events a second, half of them each; resolves to the number of events. */
export async function sendEvents(api: Api, rate: number, seconds: number): Promise<number> {
  const began = performance.now();
  const perMs = rate / 2 / 1_000;
  const idle = HOSTS - ACTIVE_ALERTS;
  let [fired, resolved] = [0, 0];
  for (;;) {
    const elapsed = performance.now() - began;
    const fireUntil = Math.floor(Math.min(elapsed, seconds * 1_000) * perMs);
    const resolveUntil = Math.floor(Math.max(0, elapsed - ACTIVE_MS) * perMs);
    const payloads: object[] = [];
    for (; fired < fireUntil; fired += 1) payloads.push(payloadOf(fired % idle, { breaches: true }));
    for (; resolved < Math.min(resolveUntil, fired); resolved += 1) payloads.push(payloadOf(resolved % idle));
    if (payloads.length > 0) await ingestAll(api, payloads);
    if (elapsed > seconds * 1_000 && resolved === fired) return fired + resolved;
    await sleep(TICK_MS);
  }
}
