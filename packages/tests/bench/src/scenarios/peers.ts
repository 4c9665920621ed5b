import { loadavg } from 'node:os';
import type { BenchOptions } from '../bench-options.ts';
import { type PacedFigures, type PacedLoad, pacedRules, runPaced } from '../peers/jobs/paced.ts';
import { runStored, STORED_JOBS, type StoredFigures } from '../peers/jobs/stored.ts';
import { removeRunning, withSystem } from '../peers/running.ts';
import type { ComparedSystem, RuleSet, RunningSystem } from '../peers/system.ts';
import { COMPARED_SYSTEMS } from '../peers/systems.ts';
import { type JobResult, type PacedResult, pacedTable, storedTables } from '../peers/tables.ts';
import type { Outcome, Scenario } from '../scenario.ts';

type Print = (text: string) => void;

const HOSTS = 10_000;
const SECONDS = 120;

/** Runs the chosen jobs on the chosen systems, one system at a time on fresh data. */
async function run({ jobs, systems, ...load }: BenchOptions, print: Print): Promise<Outcome> {
  const chosen = COMPARED_SYSTEMS.filter(({ id }) => systems.includes(id));
  const figures: Record<string, unknown> = {};
  let valid = true;
  for (const job of jobs) {
    if (job === 'rules') {
      const results = await comparePaced(chosen, load, print);
      print(`\n${pacedTable(results)}`);
      valid &&= results.every(({ result }) => isValid(result));
      figures[job] = results.map(({ rules, result }) => ({ rules, ...documentOf(result) }));
      continue;
    }
    const results: JobResult<StoredFigures>[] = [];
    for (const system of chosen)
      results.push(
        await attempt(system, null, `${job}, ${system.title}`, print, (running) =>
          runStored(running, STORED_JOBS[job], Date.now()),
        ),
      );
    print(`\n${storedTables(results)}`);
    valid &&= results.every(isValid);
    figures[job] = results.map((result) => documentOf(result));
  }
  return { valid, figures };
}

/** Each system first without rules, then with them. */
async function comparePaced(
  systems: readonly ComparedSystem[],
  load: PacedLoad,
  print: Print,
): Promise<PacedResult[]> {
  const results: PacedResult[] = [];
  for (const system of systems) {
    for (const rules of [null, pacedRules(load)]) {
      const count = rules?.rules.length ?? 0;
      const result: JobResult<PacedFigures> =
        rules !== null && system.evaluator === null
          ? { system, figures: null, absent: 'evaluates no rules by itself' }
          : await attempt(system, rules, `${count} rules, ${system.title}`, print, (running) =>
              runPaced(running, load, rules),
            );
      results.push({ rules: count, result });
    }
  }
  return results;
}

async function attempt<Figures extends object>(
  system: ComparedSystem,
  rules: RuleSet | null,
  what: string,
  print: Print,
  measure: (running: RunningSystem) => Promise<Figures>,
): Promise<JobResult<Figures>> {
  const absent = system.obstacle(rules !== null);
  if (absent !== null) {
    print(`${what}: left out, ${absent}`);
    return { system, figures: null, absent };
  }
  const before = loadavg()[0] ?? 0;
  const figures = await withSystem(system, rules, measure);
  print(`${what}: load ${before.toFixed(2)} before, ${(loadavg()[0] ?? 0).toFixed(2)} after`);
  return { system, figures };
}

function isValid({ figures }: JobResult<{ differences: readonly string[] }>): boolean {
  return (figures?.differences ?? []).length === 0;
}

/** What the JSON of a run says of a system. */
function documentOf<Figures extends object>(result: JobResult<Figures>): object {
  const { id, title, durability, evaluator } = result.system;
  const own = { id, title, durability, evaluator };
  return 'absent' in result ? { ...own, absent: result.absent } : { ...own, ...result.figures };
}

export const peers: Scenario = {
  measures: `Tidewatch and VictoriaMetrics, Prometheus and InfluxDB where their programs are installed: an hour of 1,000
hosts and a day of 200 stored and read, and 10,000 hosts in real time without rules and with --rules`,
  standsAlone: 'one product at a time',
  options: ['seconds', 'rules', 'hosts', 'jobs', 'systems'],
  limits: {
    hosts: { default: HOSTS, min: 100, max: 20_000 },
    seconds: { default: SECONDS, min: SECONDS, multipleOf: 10 },
  },
  run,
  interrupt: removeRunning,
};
