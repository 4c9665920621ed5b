import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { type Api, createRule, createWebhook, ingestAll } from '../api.ts';
import { type Percentiles, summarise } from '../measure/percentile.ts';
import { loadOutcome } from '../report/load-table.ts';
import { figureTable, number, spread } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';
import { LIVE_RATE, liveLoad } from './live.ts';
import { runLoad } from './load.ts';

/** Latencies and losses of webhooks under load. */
export interface Delivery {
  /** The time from the response of ingest until the webhook had arrived, ms; 0 if the webhook arrived first. */
  fromAccepted: Percentiles;
  /** The time from sending the breach until the webhook had arrived, ms. */
  fromSent: Percentiles;
  breaches: number;
  /** Breaches with two notifications, and those without one within ten seconds. */
  repeated: number;
  lost: number;
}

/** The rate of breaches, lower than the rate at which one webhook is called, so that no webhook has to wait. */
const BREACHES_PER_SECOND = 5;
/**
 * The number of rules: so many that no rule fires more than five times within the period in which its alerts are grouped.
 */
const RULES = 60;
const WITHIN_MS = 10_000;
/** How long to wait after creating rules, ms, until every evaluator applies them. */
const RULES_KNOWN_MS = 3_000;

interface Breach {
  sentAt: number;
  acceptedAt: number;
}

export const delivery: Scenario = {
  measures: `the load of live, with hosts beside it that breach once each, and a webhook that is notified of them: how long that takes`,
  options: ['seconds', 'rate'],
  topologies: ['embedded', 'distributed'],
  settings: { TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1' },
  async run(product, { seconds, rate }, print) {
    let delivered: Delivery | undefined;
    const load = liveLoad(seconds, Date.now(), rate ?? LIVE_RATE);
    const result = await runLoad(product, load, async (api, ended) => {
      delivered = await probeDelivery(api, seconds, ended);
    });
    if (delivered === undefined) throw new Error('the load ended before any host could breach');
    const { text, valid, figures } = loadOutcome(result);
    print(`${deliveryTable(delivered)}\n\n${text}`);
    return { valid: valid && isDelivered(delivered), figures: { ...figures, delivery: delivered } };
  },
};

/**
 * Makes separate hosts breach once each, by a fixed schedule beside a load of `seconds`, and waits for the webhook of each.
 */
async function probeDelivery(api: Api, seconds: number, ended: AbortSignal): Promise<Delivery> {
  const arrivals = new Map<string, number[]>();
  const receiver = await startHttpReceiver((response, { body }) => {
    const at = performance.now();
    const { data } = JSON.parse(body) as { data: { alert: { host: string } } };
    arrivals.set(data.alert.host, [...(arrivals.get(data.alert.host) ?? []), at]);
    status(204, {}, '')(response, { method: 'POST', path: '/', headers: {}, body });
  });
  try {
    const hosts = Array.from({ length: Math.ceil(seconds * BREACHES_PER_SECOND) }, (_, index) => index);
    await prepare(api, receiver, hosts);
    const breaches = await breach(api, hosts, ended);
    const isDone = () => [...breaches.keys()].every((host) => arrivals.has(host));
    for (const until = performance.now() + WITHIN_MS; !isDone() && performance.now() < until; )
      await sleep(50);
    return compare(breaches, arrivals);
  } finally {
    await receiver.close();
  }
}

/** Creates a channel and the rules that notify it, and sends samples of the hosts before they breach. */
async function prepare(api: Api, receiver: HttpReceiver, hosts: readonly number[]): Promise<void> {
  const channel = await createWebhook(api, 'delivery', receiver.url());
  for (let index = 0; index < RULES; index += 1)
    await createRule(api, metricOf(index), 0, { channels: [channel] });
  await ingestAll(
    api,
    hosts.map((host) => payloadOf(host, 0)),
  );
  await sleep(RULES_KNOWN_MS);
}

/** Sends the breaches at their scheduled times; a slow response does not delay the next breach. */
async function breach(api: Api, hosts: readonly number[], ended: AbortSignal): Promise<Map<string, Breach>> {
  const breaches = new Map<string, Breach>();
  const requests: Promise<void>[] = [];
  const began = performance.now();
  for (const host of hosts) {
    await sleep(Math.max(0, began + (host * 1_000) / BREACHES_PER_SECOND - performance.now()));
    if (ended.aborted) break;
    const sentAt = performance.now();
    const request = api.post('/ingest', payloadOf(host, 1), 200).then(() => {
      breaches.set(hostOf(host), { sentAt, acceptedAt: performance.now() });
    });
    requests.push(request);
  }
  await Promise.all(requests);
  return breaches;
}

function compare(
  breaches: ReadonlyMap<string, Breach>,
  arrivals: ReadonlyMap<string, readonly number[]>,
): Delivery {
  const accepted: number[] = [];
  const sent: number[] = [];
  let repeated = 0;
  for (const [host, { sentAt, acceptedAt }] of breaches) {
    const times = arrivals.get(host) ?? [];
    const [first] = times;
    if (first === undefined) continue;
    accepted.push(Math.max(0, first - acceptedAt));
    sent.push(first - sentAt);
    if (times.length > 1) repeated += 1;
  }
  return {
    fromAccepted: summarise(accepted),
    fromSent: summarise(sent),
    breaches: breaches.size,
    repeated,
    lost: breaches.size - sent.length,
  };
}

function hostOf(index: number): string {
  return `delivery-${index}`;
}

function metricOf(index: number): string {
  return `delivery_breach_${index % RULES}`;
}

function payloadOf(index: number, value: number): object {
  return { host: hostOf(index), metrics: { [metricOf(index)]: value } };
}

function deliveryTable({ fromAccepted, fromSent, breaches, repeated, lost }: Delivery): string {
  return figureTable(
    [
      ['breaches / notified twice / not notified within 10 s', `${number(breaches)} / ${repeated} / ${lost}`],
      ['from accepted to received p50 / p99 / max', spread(fromAccepted)],
      ['from sent to received p50 / p99 / max', spread(fromSent)],
    ],
    ['from a breach to its webhook', 'figure'],
  );
}

/** Returns true if every breach was notified exactly once. */
function isDelivered({ breaches, lost }: Delivery): boolean {
  return breaches > 0 && lost === 0;
}
