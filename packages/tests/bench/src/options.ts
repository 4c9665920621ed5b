import { readCommandOptions } from '@tidewatch/runtime/settings/command-options';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import {
  type BenchOptions,
  LAYOUTS,
  NUMBERS,
  type NumberLimits,
  type NumberName,
  PEER_JOBS,
  PEER_SYSTEMS,
  TOPOLOGIES,
} from './bench-options.ts';
import { CONSUMERS } from './consumers.ts';
import type { Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';

const measures = Object.entries(SCENARIOS).map(
  ([name, scenario]) => `  ${name.padEnd(7)} ${scenario.measures.replaceAll('\n', '\n          ')}`,
);

export const USAGE = `Measures the running product over HTTP.

  npm run bench -- [--peers | --scenario ${Object.keys(SCENARIOS).join('|')}]
                   [--topology ${TOPOLOGIES.join('|')}] [--layout ${LAYOUTS.join('|')}] [--seconds N] [--rate R] [--rules N] [--hosts N] [--every N] [--keys N]
                   [--kills N] [--payloads N] [--connections N] [--readers N] [--instances N] [--consumer ${CONSUMERS.join('|')}]
                   [--partitions N] [--jobs ${PEER_JOBS.join(',')}] [--systems ${PEER_SYSTEMS.join(',')}]
                   [--json FILE]

${measures.join('\n')}

  --topology   embedded is one process by npm start; distributed is Kafka, PostgreSQL, Redis and a process for each
               service by npm run stack, for replay, single, rich, parts, fleet, live, delivery,
               instances, storm, events and scaling; embedded by default
  --layout     how the product's new database keeps samples: as rows, or as a log that is sealed into chunks; by default as the
               product does without this option
  --seconds N  how long replay, single, rich, parts, fleet, events, console and each round of keys send, and how long live, delivery and rest are measured; 60 by
               default, 1 to 3600; of flush each round, 12 by default, 1 to 60; of peers in real time, 120 by default and at least
  --rate R     holds replay, single, rich, parts, fleet (24,000 by default), delivery (50,000) and scaling (450,000) to R samples a second, the last sample
               being now; without it the first four are as fast as answers come, and the samples lie in the past by as
               much as the plan was longer
  --rules N    how many rules evaluate the samples of replay, single, rich, parts, fleet and peers, a multiple of ten; 100 by default, 10 to 1000
  --hosts N    hosts of the scenarios preview (1,000 by default), rest (1,000), investigation and agents (100), 10 to 1000, of storm (10,000), 10 to
               10000, of lists (10,000), 1000 to 100000, of reading (10,000), 100 to 20000, and of peers in real time (10,000), 100 to 20000
  --every N    seconds between the payloads of the day that investigation stores, a multiple of ten; 60 by default, 10 to 60, and 10 in
               the last two hours
  --keys N     how many keys send in turn, 10,000 by default, 100 to 100000
  --peers      the scenario peers
  --jobs       what peers does, with commas between: hour and day store and read so much, rules stores in real time without
               rules and with them; all by default
  --systems    what peers measures, with commas between; all by default. Programs come from PATH, unless
               TIDEWATCH_BENCH_VICTORIA_METRICS, _VMALERT, _PROMETHEUS or _INFLUXD hold a path
  --payloads N how many payloads of its host a request of fleet holds, 2 by default, 1 to 100
  --connections N  how many connections send in replay, single, rich and parts, 32 by default, 1 to 256
  --kills N    how often the kill scenario kills, 10 by default
  --readers N  how many streams the events scenario opens, 1,000 by default
  --instances N    how many alert instances there are, a multiple of a hundred; 100,000 by default, 1,000 to 1,000,000
  --consumer   which of them is scaled, writer by default
  --partitions  of the topic that flush publishes to, 24 by default, 1 to 100
  --json FILE  writes the figures and what they were measured on to a file
`;

/** Reads the command line. Throws an `ConfigError` if an argument is invalid. */
export function readOptions(args: string[]): BenchOptions {
  const values = readCommandOptions(args, OPTIONS, USAGE);
  const name = oneOf(
    'scenario',
    Object.keys(SCENARIOS),
    values.scenario ?? (values.peers ? 'peers' : 'replay'),
  );
  const scenario = SCENARIOS[name] as Scenario;
  if (values.peers && name !== 'peers')
    throw new ConfigError(`--peers is a scenario of its own, not for ${name}`);

  function require(option: string, takes: (scenario: Scenario) => boolean): void {
    if (takes(scenario)) return;
    const others = Object.keys(SCENARIOS).filter((other) => takes(SCENARIOS[other] as Scenario));
    throw new ConfigError(`--${option} is only for ${others.join(', ')}, not for ${name}`);
  }
  for (const option of [...NUMBER_NAMES, 'consumer', 'jobs', 'systems'] as const)
    if (values[option]) require(option, ({ options }) => options.includes(option));
  const topologiesOf = ({ topologies = ['embedded'] }: Scenario) => topologies;
  const topology = oneOf('topology', TOPOLOGIES, values.topology ?? topologiesOf(scenario)[0] ?? '');
  require(`topology ${topology}`, (each) => topologiesOf(each).includes(topology));
  if (values.layout !== undefined) require('layout', ({ keepsSamples = true }) => keepsSamples);
  if (values.json?.trim() === '') throw new ConfigError('--json needs the name of a file');

  const number = (option: NumberName) =>
    numberOf(option, values[option], { ...NUMBERS[option], ...scenario.limits?.[option] });
  const numbers = Object.fromEntries(NUMBER_NAMES.map((option) => [option, number(option)]));
  return {
    ...(numbers as Record<NumberName, number>),
    scenario: name,
    topology,
    layout: values.layout === undefined ? null : oneOf('layout', LAYOUTS, values.layout),
    rate: numbers.rate || null,
    consumer: oneOf('consumer', CONSUMERS, values.consumer ?? 'writer'),
    jobs: someOf('jobs', PEER_JOBS, values.jobs),
    systems: someOf('systems', PEER_SYSTEMS, values.systems),
    json: values.json ?? null,
    help: values.help,
  };
}

const NUMBER_NAMES = Object.keys(NUMBERS) as NumberName[];
const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;
const NUMBER_OPTIONS = Object.fromEntries(NUMBER_NAMES.map((name) => [name, TEXT])) as Record<
  NumberName,
  typeof TEXT
>;

const OPTIONS = {
  ...NUMBER_OPTIONS,
  scenario: TEXT,
  topology: TEXT,
  layout: TEXT,
  consumer: TEXT,
  jobs: TEXT,
  systems: TEXT,
  json: TEXT,
  peers: FLAG,
  help: { ...FLAG, short: 'h' },
} as const;

function oneOf<Name extends string>(option: string, names: readonly Name[], given: string): Name {
  const found = names.find((name) => name === given);
  if (found !== undefined) return found;
  throw new ConfigError(`--${option} must be one of ${names.join(', ')}, not ${given}`);
}

/** Reads a list with commas; the names come in the order of `names`, and all of them if nothing is given. */
function someOf<Name extends string>(
  option: string,
  names: readonly Name[],
  given: string | undefined,
): Name[] {
  if (given === undefined) return [...names];
  const chosen = given.split(',').map((name) => oneOf(option, names, name.trim()));
  return names.filter((name) => chosen.includes(name));
}

function numberOf(option: string, text: string | undefined, limits: NumberLimits): number {
  const { min, max, multipleOf = 1 } = limits;
  if (text === undefined) return limits.default;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new ConfigError(`--${option} must be a whole number from ${min} to ${max}, not "${text}"`);
  if (value % multipleOf === 0) return value;
  throw new ConfigError(`--${option} must be a multiple of ${multipleOf}`);
}
