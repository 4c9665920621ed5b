import { setTimeout as sleep } from 'node:timers/promises';
import {
  type BodyTranslator,
  openBodyTranslator,
} from '@tidewatch/gateway/agent-protocols/body-translator.fixture';
import type { Product } from '@tidewatch/harness/product';
import { cpuByKind, cpuOfPostgres, ownCpu, processorTime } from '../../measure/processor.ts';
import { figureTable, mebibytes, number, table } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { type AgentBodies, agentBodies, forHost, hostName } from './agent-bodies.ts';
import { countValues, NATIVE_PATH, nativeBody, nativeHeaders } from './native-body.ts';
import { type AgentRequest, sendRequests } from './send-requests.ts';

/** Scrapes of each host before the measurement, in which series become known and code is compiled. */
const WARM_UP_ROUNDS = 40;
/** Turns of both ways that are measured, and the scrapes of each host in one way of a turn. */
const TURNS = 10;
const ROUNDS = 20;
const INTERVAL_MS = 15_000;
/** After each stretch, so that what it left to do is counted with it, ms. */
const REST_MS = 2_000;
const GOAL = 1.3;
const WAYS = ['agent', 'native'] as const;

type Way = (typeof WAYS)[number];

/** What one way took. */
interface WayCost {
  node: number;
  /** Of PostgreSQL's backends. */
  backends: number;
  /** Of its autovacuum, checkpoints and the like. */
  upkeep: number;
  requests: number;
  bytes: number;
  /** Samples that the product stored. */
  samples: number;
}

interface AgentResult extends Record<Way, WayCost> {
  name: string;
  /** Points that the agent sent in what was measured. */
  points: number;
  /** CPU-seconds for a sample in those of a native one, of each turn. */
  ratios: number[];
}

export const agents: Scenario = {
  measures: `captured requests of Prometheus, vmagent, OpenTelemetry's Collector and Telegraf from 100 hosts (--hosts), and the same
values as our own agent sends them, in turns: CPU-seconds of each way`,
  options: ['hosts'],
  limits: { hosts: { default: 100, max: 1_000 } },
  settings: { TIDEWATCH_SERIES_LIMIT: '10000000' },
  async run(product, { hosts }, print) {
    const others = outsiders(product);
    const rounds = WARM_UP_ROUNDS + TURNS * ROUNDS;
    const startMs = Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS - rounds * INTERVAL_MS;
    const senders = agentBodies().map((bodies, index) => ({
      bodies,
      first: index * hosts,
      hosts,
      translator: openBodyTranslator(),
      startMs,
    }));
    // Code that several senders share is compiled for all of them before the first is measured.
    for (const sender of senders) await warmUp(product, sender);
    const results = senders.map(({ bodies }) => noResult(bodies.name));
    for (let turn = 0; turn < TURNS; turn += 1)
      for (let place = 0; place < senders.length; place += 1) {
        // No sender is always the first: what PostgreSQL does once a minute would fall into the same one.
        const index = (place + turn) % senders.length;
        await measureTurn(product, senders[index] as Sender, turn, results[index] as AgentResult);
      }
    print(costTable(results));
    print(figureTable([['CPU-seconds of other processes', number(others(), 1)]]));
    const isEqual = results.every(({ agent, native }) => Math.abs(agent.samples / native.samples - 1) < 0.02);
    return { valid: isEqual, figures: { hosts, results } };
  },
};

/** The bodies of a stretch for each way, and how many points they have. */
interface Stretch extends Record<Way, AgentRequest[]> {
  points: number;
}

interface Sender {
  bodies: AgentBodies;
  /** The number of the first host. */
  first: number;
  hosts: number;
  translator: BodyTranslator;
  /** The time of the first scrape, ms since the epoch. */
  startMs: number;
}

async function warmUp(product: Product, sender: Sender): Promise<void> {
  const stretch = prepareStretch(sender, 0, WARM_UP_ROUNDS);
  for (const way of WAYS) await measureWay(product, stretch[way], sender.hosts);
}

/** Adds what a turn of both ways takes to the result of a sender. */
async function measureTurn(
  product: Product,
  sender: Sender,
  turn: number,
  result: AgentResult,
): Promise<void> {
  const stretch = prepareStretch(sender, WARM_UP_ROUNDS + turn * ROUNDS, ROUNDS);
  result.points += stretch.points;
  const costs = { agent: noCost(), native: noCost() };
  for (const way of turn % 2 === 0 ? WAYS : WAYS.toReversed())
    costs[way] = await measureWay(product, stretch[way], sender.hosts);
  shareUpkeep(costs.agent, costs.native);
  for (const way of WAYS) add(result[way], costs[way]);
  result.ratios.push(perMillion(costs.agent) / perMillion(costs.native));
}

/**
 * Divides upkeep by the samples that each way stored. It is caused by the rows, which are the same, and falls into whichever way is
 * measured then: as much as half of a stretch.
 */
function shareUpkeep(one: WayCost, other: WayCost): void {
  const each = (one.upkeep + other.upkeep) / (one.samples + other.samples);
  for (const cost of [one, other]) cost.upkeep = each * cost.samples;
}

/** Makes the requests of some rounds, the hosts of each after each other. */
function prepareStretch(sender: Sender, from: number, rounds: number): Stretch {
  const { bodies, first, hosts, translator, startMs } = sender;
  const stretch: Stretch = { agent: [], native: [], points: 0 };
  for (let round = from; round < from + rounds; round += 1) {
    const time = startMs + round * INTERVAL_MS;
    const template = bodies.body(round, time);
    for (let host = first; host < first + hosts; host += 1) {
      const body = forHost(template, hostName('agent', host));
      const { payloads, points } = translator.translate(bodies.form, body, time);
      stretch.points += points;
      const native = nativeBody(payloads, hostName('native', host));
      stretch.agent.push({ path: bodies.path, headers: bodies.headers, body: bodies.compress(body) });
      if (countValues(payloads) > 0)
        stretch.native.push({
          path: NATIVE_PATH,
          headers: nativeHeaders(native.isCompressed),
          body: native.bytes,
        });
    }
  }
  return stretch;
}

async function measureWay(
  product: Product,
  requests: readonly AgentRequest[],
  hosts: number,
): Promise<WayCost> {
  const storedBefore = await samplesStored(product);
  const before = { ...cpuByKind(product), ...cpuOfPostgres(product) };
  // Each agent has a connection of its own.
  await sendRequests(product.url, product.key, requests, hosts);
  await sleep(REST_MS);
  const after = { ...cpuByKind(product), ...cpuOfPostgres(product) };
  return {
    node: after.node - before.node,
    backends: after.backends - before.backends,
    upkeep: after.upkeep - before.upkeep,
    requests: requests.length,
    bytes: requests.reduce((sum, { body }) => sum + body.length, 0),
    samples: (await samplesStored(product)) - storedBefore,
  };
}

async function samplesStored(product: Product): Promise<number> {
  const text = await (await fetch(`${product.url}/metrics`)).text();
  return Number(/^tidewatch_writer_samples_stored_total (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

function noResult(name: string): AgentResult {
  return { name, agent: noCost(), native: noCost(), points: 0, ratios: [] };
}

function noCost(): WayCost {
  return { node: 0, backends: 0, upkeep: 0, requests: 0, bytes: 0, samples: 0 };
}

function add(sum: WayCost, cost: WayCost): void {
  for (const name of Object.keys(cost) as (keyof WayCost)[]) sum[name] += cost[name];
}

function perMillion({ node, backends, upkeep, samples }: WayCost): number {
  return ((node + backends + upkeep) / samples) * 1e6;
}

/** The median of an even number of values. */
function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const half = values.length / 2;
  return ((sorted[half - 1] ?? Number.NaN) + (sorted[half] ?? Number.NaN)) / 2;
}

/** CPU-seconds of processes that are neither the product nor this one, since it was called. */
function outsiders(product: Product): () => number {
  const total = () => {
    const { node, postgres } = cpuByKind(product);
    return processorTime().busy - node - postgres - ownCpu();
  };
  const before = total();
  return () => total() - before;
}

function costTable(results: readonly AgentResult[]): string {
  const rows = results.flatMap(({ name, agent, native, points, ratios }) => {
    const ratio = middle(ratios);
    const shared = (cost: WayCost) => [
      number(cost.requests),
      number(cost.samples),
      number(perMillion(cost), 2),
      `${number((cost.node / cost.samples) * 1e6, 2)} / ${number(((cost.backends + cost.upkeep) / cost.samples) * 1e6, 2)}`,
      mebibytes(cost.bytes),
    ];
    const perPoint = number((perMillion(agent) * agent.samples) / points, 2);
    return [
      [
        name,
        ...shared(agent),
        number(points),
        perPoint,
        `${number(ratio, 2)}${ratio > GOAL ? ', over the goal' : ''}`,
        number(perMillion(agent) / perMillion(native), 2),
      ],
      ['the same values natively', ...shared(native), '', '', '', ''],
    ];
  });
  return table(
    [
      'sender',
      'requests',
      'samples stored',
      'CPU-seconds a million of them',
      'Node / PostgreSQL',
      'MiB sent',
      'points sent',
      'CPU-seconds a million of them',
      `median ratio of the turns (goal: at most ${GOAL})`,
      'ratio of all turns',
    ],
    rows,
  );
}
