import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpReceiver, startHttpReceiver, status } from '@tidewatch/destinations/testing/http-receiver';
import { watchPeaks } from '@tidewatch/harness/process-tree';
import type { Product } from '@tidewatch/harness/product';
import { type Api, createApi, createRule, createWebhook, ingestAll } from '../api.ts';
import { messagesWithin } from '../measure/messages-within.ts';
import { nodePeak } from '../measure/node-peak.ts';
import { figureTable, mebibytes, number, peakRows } from '../report/table.ts';
import type { Scenario } from '../scenario.ts';

/** The notifications that a webhook received in one turn of a storm, in which all hosts either fire or resolve. */
interface Turn {
  /** The number of messages about one alert, and about several. */
  single: number;
  digests: number;
  /** The number of hosts without a notification, and of those with more than one. */
  lost: number;
  repeated: number;
  /** The time from the turn's first sample until every host was in a notification, seconds; null if some host never was. */
  seconds: number | null;
}

type StormResult = Awaited<ReturnType<typeof runStorm>>;

interface Message {
  at: number;
  bytes: number;
  hosts: { name: string; hasResolved: boolean }[];
}

interface Notice {
  data: { alert?: Alert; alerts?: Alert[] };
}

interface Alert {
  host: string;
  resolved_at: string | null;
}

const METRIC = 'storm';
/** The time to wait after creating a rule until every evaluator applies it, ms. */
const RULE_KNOWN_MS = 3_000;
const WITHIN_MS = 300_000;
/** How long to wait at the end, ms: longer than notices are grouped, so that any second notification has arrived. */
const SETTLE_MS = 35_000;

export const storm: Scenario = {
  measures:
    '10,000 hosts that breach at once and resolve at once: what a webhook receives about them, how fast, and the memory it takes',
  options: ['hosts'],
  limits: { hosts: { default: 10_000, max: 10_000 } },
  topologies: ['embedded', 'distributed'],
  settings: { TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.1' },
  async run(product, { hosts }, print) {
    const result = await runStorm(product, hosts);
    print(stormTable(result));
    return {
      valid: isStormDelivered(result),
      figures: { ...result, peaks: Object.fromEntries(result.peaks) },
    };
  },
};

/**
 * Makes one rule fire and then resolve on every host at once, and counts what a webhook on the loopback interface receives.
 */
async function runStorm(product: Product, hosts: number) {
  const api = createApi(product.url, product.key);
  const messages: Message[] = [];
  const receiver = await startHttpReceiver((response, received) => {
    messages.push(messageOf(received.body));
    status(204, {}, '')(response, received);
  });
  const memory = watchPeaks(product.pid);
  try {
    await prepare(api, receiver, hosts);
    const idleNode = nodePeak(memory.peaks());
    const fired = await turn(api, messages, hosts, false);
    const resolved = await turn(api, messages, hosts, true);
    await sleep(SETTLE_MS);
    const times = messages.map(({ at }) => at);
    return {
      hosts,
      idleNode,
      peaks: memory.peaks(),
      fired: { ...countDelivered(messages, hosts, false), seconds: fired },
      resolved: { ...countDelivered(messages, hosts, true), seconds: resolved },
      maxInASecond: messagesWithin(times, 1_000),
      maxInTenSeconds: messagesWithin(times, 10_000),
      // The size of the largest body, bytes.
      largest: Math.max(...messages.map(({ bytes }) => bytes)),
    };
  } finally {
    memory.stop();
    await receiver.close();
  }
}

/** Creates a channel and a rule that notifies it, and sends samples of the hosts before they breach. */
async function prepare(api: Api, receiver: HttpReceiver, hosts: number): Promise<void> {
  const channel = await createWebhook(api, METRIC, receiver.url());
  await createRule(api, METRIC, 90, { channels: [channel] });
  await sleep(RULE_KNOWN_MS);
  await send(api, hosts, 1);
}

/** Returns after how many seconds every host was in a notification; null if some were not. */
async function turn(
  api: Api,
  messages: readonly Message[],
  hosts: number,
  hasResolved: boolean,
): Promise<number | null> {
  const began = performance.now();
  await send(api, hosts, hasResolved ? 1 : 99);
  while (countDelivered(messages, hosts, hasResolved).lost > 0) {
    if (performance.now() - began > WITHIN_MS) return null;
    await sleep(100);
  }
  return (performance.now() - began) / 1_000;
}

function countDelivered(
  messages: readonly Message[],
  hosts: number,
  hasResolved: boolean,
): Omit<Turn, 'seconds'> {
  const times = new Map<string, number>();
  let [single, digests] = [0, 0];
  for (const message of messages) {
    const own = message.hosts.filter((host) => host.hasResolved === hasResolved);
    if (own.length === 1) single += 1;
    else if (own.length > 1) digests += 1;
    for (const { name } of own) times.set(name, (times.get(name) ?? 0) + 1);
  }
  const repeated = [...times.values()].filter((count) => count > 1).length;
  return { single, digests, lost: hosts - times.size, repeated };
}

async function send(api: Api, hosts: number, value: number): Promise<void> {
  const timestamp = new Date().toISOString();
  const payloads = Array.from({ length: hosts }, (_, index) => ({
    host: `storm-${index}`,
    timestamp,
    metrics: { [METRIC]: value },
  }));
  await ingestAll(api, payloads);
}

function messageOf(body: string): Message {
  const { data } = JSON.parse(body) as Notice;
  const alerts = data.alerts ?? (data.alert ? [data.alert] : []);
  return {
    at: performance.now(),
    bytes: Buffer.byteLength(body),
    hosts: alerts.map(({ host, resolved_at }) => ({ name: host, hasResolved: resolved_at !== null })),
  };
}

function stormTable(result: StormResult): string {
  const { hosts, fired, resolved, maxInASecond, maxInTenSeconds, largest, idleNode, peaks } = result;
  return figureTable([
    ['hosts', number(hosts)],
    ['all fire', turnText(fired)],
    ['all resolve', turnText(resolved)],
    ['most messages in 1 s and in 10 s', `${number(maxInASecond)} and ${number(maxInTenSeconds)}`],
    ['largest message', `${number(largest / 1024)} KiB`],
    ['peak RSS of Node before', `${mebibytes(idleNode)} MiB`],
    ...peakRows(peaks),
  ]);
}

/** Returns true if every host was in exactly one notification of each turn. */
function isStormDelivered({ fired, resolved }: StormResult): boolean {
  return [fired, resolved].every(({ lost, repeated }) => lost === 0 && repeated === 0);
}

function turnText({ single, digests, lost, repeated, seconds }: Turn): string {
  const messages = `${number(single)} messages of one host and ${number(digests)} digests`;
  const within = seconds === null ? 'never all' : `all within ${number(seconds, 1)} s`;
  return `${messages}, ${within}; ${number(lost)} hosts lost, ${number(repeated)} repeated`;
}
