import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  type BodyTranslator,
  openBodyTranslator,
} from '@tidewatch/gateway/agent-protocols/body-translator.fixture';
import { mebibytes, number, table } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { type AgentBodies, agentBodies, forHost, hostName } from './agent-bodies.ts';

/** Scrapes of each host: with the second one counters have rates, and with the third one all layouts are known. */
const ROUNDS = 3;
const INTERVAL_MS = 15_000;
/** Hosts whose requests are translated before. */
const WARM_UP_HOSTS = 100;
/** The numbers of series that are remembered: those of 200 hosts with a thousand, and a million. */
const SERIES = [200_000, 1_000_000] as const;

/** The memory of what a gateway remembers. */
interface StateResult {
  name: string;
  hosts: number;
  series: number;
  /** The memory of objects, and of typed arrays, bytes. */
  heap: number;
  external: number;
}

export const agentState: Scenario = {
  measures:
    'the memory that a gateway takes for series of other agents, after captured requests of so many hosts',
  options: [],
  keepsSamples: false,
  standsAlone: 'no product',
  async run(_options, print) {
    const results: StateResult[] = [];
    for (const bodies of agentBodies())
      for (const series of SERIES) results.push(await measureState(bodies, series));
    print(stateTable(results));
    return { valid: true, figures: { results } };
  },
};

async function measureState(bodies: AgentBodies, wanted: number): Promise<StateResult> {
  const startMs = Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS - ROUNDS * INTERVAL_MS;
  const templates = Array.from({ length: ROUNDS }, (_, round) =>
    bodies.body(round, startMs + round * INTERVAL_MS),
  );
  function translateAll(hosts: number): BodyTranslator {
    const translator = openBodyTranslator();
    for (const [round, template] of templates.entries())
      for (let host = 0; host < hosts; host += 1)
        translator.translate(
          bodies.form,
          forHost(template, hostName('agent', host)),
          startMs + round * INTERVAL_MS,
        );
    return translator;
  }
  // Before the measurement, so that the memory of compiled code is not counted.
  const seriesOfHost = translateAll(WARM_UP_HOSTS).series / WARM_UP_HOSTS;
  const hosts = Math.ceil(wanted / seriesOfHost);
  const before = await memoryUse();
  const translator = translateAll(hosts);
  const after = await memoryUse();
  return {
    name: bodies.name,
    hosts,
    series: translator.series,
    heap: after.heap - before.heap,
    external: after.external - before.external,
  };
}

/** The memory of this process after garbage is collected, bytes. */
async function memoryUse(): Promise<{ heap: number; external: number }> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Finalizers of one collection, which run in a turn of their own, release garbage for the next one.
  for (let turns = 0; turns < 4; turns += 1) {
    collect();
    await setImmediate();
  }
  const { heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed, external };
}

function stateTable(results: readonly StateResult[]): string {
  return table(
    ['sender', 'hosts', 'series', 'heap MiB', 'external MiB', 'bytes a series'],
    results.map(({ name, hosts, series, heap, external }) => [
      name,
      number(hosts),
      number(series),
      mebibytes(heap),
      mebibytes(external),
      number((heap + external) / series),
    ]),
  );
}
