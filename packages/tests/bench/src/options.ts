import { parseArgs } from 'node:util';
import { CONSUMERS, type ConsumerName } from './consumers.ts';

export const SCENARIOS = [
  'replay',
  'single',
  'rich',
  'live',
  'delivery',
  'pairs',
  'storm',
  'lists',
  'preview',
  'reading',
  'keys',
  'kill',
  'hostile',
  'events',
  'scaling',
  'investigation',
  'flush',
] as const;
export type Scenario = (typeof SCENARIOS)[number];
export const TOPOLOGIES = ['embedded', 'distributed'] as const;
export type Topology = (typeof TOPOLOGIES)[number];

export interface BenchOptions {
  scenario: Scenario;
  /** One process, or Kafka and a process for each service. */
  topology: Topology;
  /** How long a replay sends, or how long a live run is measured after its warm-up. */
  seconds: number;
  /** Samples a second that a load is held to; null is the scenario's own, or as fast as answers come. */
  rate: number | null;
  /** How many rules judge what replays send. */
  rules: number;
  /** How many hosts have a past, to try rules on or to be investigated, or breach at once. */
  hosts: number;
  /** How many keys send in turn. */
  keys: number;
  peers: boolean;
  kills: number;
  /** Streams of events that are open at once. */
  readers: number;
  /** How many pairs of rule and host breach. */
  pairs: number;
  /** Partitions of the topic that flush publishes to. */
  partitions: number;
  /** Which consumer is scaled. */
  consumer: ConsumerName;
  /** File for the figures as JSON, as given; null is none. */
  json: string | null;
  help: boolean;
}

/** A sentence for people that says which argument is wrong, and how. */
export class OptionError extends Error {}

export const USAGE = `Measures the running product over HTTP.

  npm run bench -- [--scenario ${SCENARIOS.join('|')}]
                   [--topology ${TOPOLOGIES.join('|')}] [--seconds N] [--rate R] [--rules N] [--hosts N] [--keys N]
                   [--peers] [--kills N] [--readers N] [--pairs N] [--consumer ${CONSUMERS.join('|')}]
                   [--partitions N] [--json FILE]

  replay  1,000 hosts with 10 metrics, 10 s apart, 100 payloads a request, 32 connections, 100 rules
  single  the same with one payload a request
  rich    the same with 4 tags, 5 containers and 20 processes a payload
  live    5,000 hosts with 100 metrics every 10 s, one payload a request, with probes of freshness and alerting;
          first contact and a minute of warm-up come before what is measured
  delivery the load of live, with hosts beside it that breach once each, and a webhook that is told of them: how long that takes
  pairs   100,000 pairs of rule and host that fire or are pending: the memory of one, and how long a process that was killed
          takes until it judges again
  storm   10,000 hosts that breach at once and resolve at once: what a webhook is told of them, how fast, and the memory it takes
  lists   10,000 services and 100,000 alerts: how long lists and a day's chart take
  preview what a rule would have done in 30 days of its hosts, whose minutes are written straight into the database
  keys    one payload a request with one key, and with 10,000 keys of 100 organizations in turn; what a key in the
          cache costs
  reading 10,000 hosts with 1,110,000 series and 100,000 alerts, written straight into the database: lists of metrics and
          lists as of a time, queries over all hosts, and exports with the memory that they take
  hostile bodies that are small on the wire and costly to take, alone and twenty at once: what holds the loop up
  events  1,000 streams of events and 100 events a second: how long events take, and what it costs
  investigation  a day of hosts with 100 metrics: what looking for the cause of one alert takes, and of one on each host at
          once, and how ingest fares meanwhile
  scaling writers or evaluators, each held to a quarter of a processor: what 1, 2 and 4 of them take and cost, and
          that a second lets the lag of a first fall; distributed, as root, some 20 minutes and half an hour for the recount
  flush   what a gateway's publisher and one Kafka broker take, with records flushed before they are acknowledged and without,
          one payload a request and 100: no product is started, and 8 rounds are measured
  kill    kill -9 of all processes again and again during a replay, then everything is compared with the ledger

  --topology   embedded is one process by npm start; distributed is Kafka, PostgreSQL, Redis and a process for each
               service by npm run stack, for replay, single, rich, live, delivery,
               pairs, storm, events and scaling; embedded by default
  --seconds N  how long replay, single, rich, events and each round of keys send, and how long live and delivery are measured; 60 by
               default, 1 to 3600; of flush each round, 12 by default, 1 to 60
  --rate R     holds replay, single, rich, delivery (50,000 by default) and scaling (450,000) to R samples a second, the last sample
               being now; without it the first three are as fast as answers come, and the samples lie in the past by as
               much as the plan was longer
  --rules N    how many rules judge what replay, single and rich send, a multiple of ten; 100 by default, 10 to 1000
  --hosts N    hosts of the scenarios preview (1,000 by default) and investigation (100), 10 to 1000, and of storm (10,000), 10 to
               10000
  --keys N     how many keys send in turn, 10,000 by default, 100 to 100000
  --peers      sends what a replay sent to VictoriaMetrics, Prometheus and InfluxDB where their programs are in PATH
  --kills N    how often the kill scenario kills, 10 by default
  --readers N  how many streams the events scenario opens, 1,000 by default
  --pairs N    how many pairs breach, a multiple of a hundred; 100,000 by default, 1,000 to 1,000,000
  --consumer   which of them is scaled, writer by default
  --partitions  of the topic that flush publishes to, 24 by default, 1 to 100
  --json FILE  writes the figures and what they were measured on to a file
`;

const LOADS: readonly Scenario[] = ['replay', 'single', 'rich'];

/** Throws an `OptionError` where an argument is wrong. */
export function readOptions(args: string[]): BenchOptions {
  const values = parse(args);
  const scenario = SCENARIOS.find((name) => name === (values.scenario ?? 'replay'));
  if (scenario === undefined)
    throw new OptionError(`--scenario must be one of ${SCENARIOS.join(', ')}, not ${values.scenario}`);

  function refuse(option: string, given: unknown, scenarios: readonly Scenario[]): void {
    if (given !== undefined && !scenarios.includes(scenario as Scenario))
      throw new OptionError(`--${option} is only for ${scenarios.join(', ')}, not for ${scenario}`);
  }
  refuse('seconds', values.seconds, [...LOADS, 'live', 'delivery', 'events', 'keys', 'flush']);
  refuse('keys', values.keys, ['keys']);
  refuse('rate', values.rate, [...LOADS, 'delivery', 'scaling']);
  refuse('rules', values.rules, LOADS);
  const rules = whole('rules', values.rules ?? '100', 10, 1_000);
  if (rules % 10 !== 0) throw new OptionError('--rules must be a multiple of ten');
  refuse('hosts', values.hosts, ['preview', 'investigation', 'storm']);
  refuse('peers', values.peers, ['replay']);
  refuse('kills', values.kills, ['kill']);
  refuse('readers', values.readers, ['events']);
  refuse('pairs', values.pairs, ['pairs']);
  refuse('partitions', values.partitions, ['flush']);
  refuse('consumer', values.consumer, ['scaling']);
  const consumer = CONSUMERS.find((name) => name === (values.consumer ?? 'writer'));
  if (consumer === undefined)
    throw new OptionError(`--consumer must be one of ${CONSUMERS.join(', ')}, not ${values.consumer}`);
  const pairs = whole('pairs', values.pairs ?? '100000', 1_000, 1_000_000);
  if (pairs % 100 !== 0) throw new OptionError('--pairs must be a multiple of a hundred');
  const topology = TOPOLOGIES.find(
    (name) => name === (values.topology ?? (scenario === 'scaling' ? 'distributed' : 'embedded')),
  );
  if (topology === undefined)
    throw new OptionError(`--topology must be one of ${TOPOLOGIES.join(', ')}, not ${values.topology}`);
  if (topology === 'distributed')
    refuse('topology distributed', topology, [
      ...LOADS,
      'live',
      'delivery',
      'pairs',
      'storm',
      'events',
      'scaling',
    ]);
  if (topology === 'embedded')
    refuse(
      'topology embedded',
      values.topology,
      SCENARIOS.filter((name) => name !== 'scaling'),
    );
  if (values.json?.trim() === '') throw new OptionError('--json needs the name of a file');
  return {
    scenario,
    topology,
    seconds: secondsOf(scenario, values.seconds),
    rate: values.rate === undefined ? null : whole('rate', values.rate, 1_000, 5_000_000),
    rules,
    hosts: hostsOf(scenario, values.hosts),
    keys: whole('keys', values.keys ?? '10000', 100, 100_000),
    kills: whole('kills', values.kills ?? '10', 1, 1_000),
    pairs,
    consumer,
    readers: whole('readers', values.readers ?? '1000', 1, 2_000),
    partitions: whole('partitions', values.partitions ?? '24', 1, 100),
    peers: values.peers ?? false,
    json: values.json ?? null,
    help: values.help ?? false,
  };
}

function secondsOf(scenario: Scenario, given: string | undefined): number {
  return scenario === 'flush'
    ? whole('seconds', given ?? '12', 1, 60)
    : whole('seconds', given ?? '60', 1, 3_600);
}

function hostsOf(scenario: Scenario, given: string | undefined): number {
  if (scenario === 'storm') return whole('hosts', given ?? '10000', 10, 10_000);
  return whole('hosts', given ?? (scenario === 'investigation' ? '100' : '1000'), 10, 1_000);
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        scenario: { type: 'string' },
        topology: { type: 'string' },
        seconds: { type: 'string' },
        rate: { type: 'string' },
        rules: { type: 'string' },
        hosts: { type: 'string' },
        keys: { type: 'string' },
        kills: { type: 'string' },
        readers: { type: 'string' },
        pairs: { type: 'string' },
        partitions: { type: 'string' },
        consumer: { type: 'string' },
        peers: { type: 'boolean' },
        json: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error));
  }
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new OptionError(`--${option} must be a whole number from ${least} to ${most}, not "${text}"`);
}
