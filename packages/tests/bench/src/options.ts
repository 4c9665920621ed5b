import { parseArgs } from 'node:util';

export const SCENARIOS = ['replay', 'single', 'rich', 'live', 'lists', 'kill', 'hostile'] as const;
export type Scenario = (typeof SCENARIOS)[number];

export interface BenchOptions {
  scenario: Scenario;
  /** Sizes the load: a replay holds what 400,000 samples a second would be, a live run lasts as long. */
  seconds: number;
  peers: boolean;
  kills: number;
  help: boolean;
}

export const USAGE = `Measures the running product over HTTP.

  npm run bench -- [--scenario ${SCENARIOS.join('|')}] [--seconds N] [--peers] [--kills N]

  replay  1,000 hosts with 10 metrics, 10 s apart, ending now: 100 payloads a request, 32 connections, 100 rules
  single  the same with one payload a request
  rich    the same with 4 tags, 5 containers and 20 processes a payload
  live    5,000 hosts with 100 metrics every 10 s, one payload a request, with probes of freshness and alerting
  lists   10,000 services and 100,000 alerts: how long lists and a day's chart take
  hostile bodies that are small on the wire and costly to take, alone and twenty at once: what holds the loop up
  kill    kill -9 of all processes again and again during a replay, then everything is compared with the ledger

  --seconds N  length, 60 by default
  --peers      sends the same samples to VictoriaMetrics, Prometheus and InfluxDB where these are installed
  --kills N    how often the kill scenario kills, 10 by default
`;

/** Throws with a sentence for people where an argument is wrong. */
export function readOptions(args: string[]): BenchOptions {
  const { values } = parseArgs({
    args,
    options: {
      scenario: { type: 'string', default: 'replay' },
      seconds: { type: 'string', default: '60' },
      kills: { type: 'string', default: '10' },
      peers: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const scenario = SCENARIOS.find((name) => name === values.scenario);
  const seconds = Number(values.seconds);
  const kills = Number(values.kills);
  if (scenario === undefined) throw new Error(`--scenario must be one of ${SCENARIOS.join(', ')}`);
  if (!(seconds >= 1 && seconds <= 3_600)) throw new Error('--seconds must be 1 to 3600');
  if (!(Number.isInteger(kills) && kills >= 1)) throw new Error('--kills must be 1 or more');
  return { scenario, seconds, kills, peers: values.peers, help: values.help };
}
