import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openBodyTranslator } from '@tidewatch/gateway/agent-protocols/body-translator.fixture';
import { mebibytes, number, table } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { type AgentBodies, agentBodies, forHost, hostName } from './agent-bodies.ts';

/** Scrapes of each host: with the second one counters have rates, and with the third one all layouts are known. */
const ROUNDS = 3;
const INTERVAL_MS = 15_000;
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
  standsAlone: 'no product',
  async run(_options, print) {
    const results = agentBodies().flatMap((bodies) => SERIES.map((series) => measureState(bodies, series)));
    print(stateTable(results));
    return { valid: true, figures: { results } };
  },
};

function measureState(bodies: AgentBodies, wanted: number): StateResult {
  const translator = openBodyTranslator();
  const startMs = Math.floor(Date.now() / INTERVAL_MS) * INTERVAL_MS - ROUNDS * INTERVAL_MS;
  const templates = Array.from({ length: ROUNDS }, (_, round) =>
    bodies.body(round, startMs + round * INTERVAL_MS),
  );
  const first = templates[0] as Buffer;
  const one = openBodyTranslator();
  one.translate(bodies.form, forHost(first, hostName('agent', 0)), startMs);
  const hosts = Math.ceil(wanted / one.series);
  const before = memoryUse();
  for (const [round, template] of templates.entries())
    for (let host = 0; host < hosts; host += 1)
      translator.translate(
        bodies.form,
        forHost(template, hostName('agent', host)),
        startMs + round * INTERVAL_MS,
      );
  const after = memoryUse();
  const { series } = translator;
  return {
    name: bodies.name,
    hosts,
    series,
    heap: after.heap - before.heap,
    external: after.external - before.external,
  };
}

/** The memory of this process after garbage is collected, bytes. */
function memoryUse(): { heap: number; external: number } {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Finalizers of the first collection release garbage for the second one.
  collect();
  collect();
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
