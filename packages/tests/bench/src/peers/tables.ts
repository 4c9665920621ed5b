import { listed, mebibytes, number, table } from '../report/table.ts';
import type { PacedFigures } from './jobs/paced.ts';
import type { StoredFigures } from './jobs/stored.ts';
import type { ComparedSystem } from './system.ts';

/** The figures of a job; a text says why there are none. */
export type JobResult<Figures extends object> =
  | { system: ComparedSystem; figures: Figures }
  | { system: ComparedSystem; figures: null; absent: string };

const STORED_HEADS = [
  'stored as fast as answers come',
  'samples',
  'CPU-s a million',
  'samples/s',
  'bytes a sample on disk',
  'with its log',
  'peak memory MiB',
  'a sample at the answer',
];
const READ_HEADS = ['reads', 'question', 'requests', 'p50 / p99 / max ms', 'CPU ms a request'];
const PACED_HEADS = [
  'stored in real time',
  'rules',
  'CPU-s a million',
  'samples',
  'evaluations',
  'firing',
  'p99 late ms',
  'peak memory MiB',
  'evaluated by',
];

/** Tables of one stored job: storing, then reading. Figures of a system that answers something else are void. */
export function storedTables(results: readonly JobResult<StoredFigures>[]): string {
  const rows = results.map(({ system, ...result }) => {
    if (result.figures === null) return [system.title, result.absent];
    const { samples, cpuSeconds, sendSeconds, dataBytes, withLogBytes, peakBytes } = result.figures;
    return [
      titleOf(system, result.figures),
      countOf(result.figures),
      number(cpuSeconds, 2),
      number(samples / sendSeconds),
      number(dataBytes, 2),
      number(withLogBytes, 2),
      mebibytes(peakBytes),
      system.durability,
    ];
  });
  const reads = results.flatMap(({ system, figures }) =>
    (figures?.reads ?? []).map(({ name, requests, latency, cpuSeconds }) => [
      figures?.differences.length ? `VOID: ${system.title}` : system.title,
      name,
      number(requests),
      listed([latency.p50, latency.p99, latency.max], 1),
      number(cpuSeconds * 1_000, 1),
    ]),
  );
  return [table(STORED_HEADS, rows), table(READ_HEADS, reads), faultsOf(results)]
    .filter(Boolean)
    .join('\n\n');
}

export interface PacedResult {
  rules: number;
  result: JobResult<PacedFigures>;
}

export function pacedTable(results: readonly PacedResult[]): string {
  const rows = results.map(({ rules, result: { system, ...result } }) => {
    if (result.figures === null) return [system.title, number(rules), result.absent];
    const { cpuSeconds, evaluations, firing, lagMs, peakBytes } = result.figures;
    return [
      titleOf(system, result.figures),
      number(rules),
      number(cpuSeconds, 2),
      countOf(result.figures),
      rules === 0 ? '' : evaluations === null ? 'of each sample' : number(evaluations.done),
      rules === 0 ? '' : number(firing),
      number(lagMs),
      mebibytes(peakBytes),
      rules === 0 ? '' : (system.evaluator ?? ''),
    ];
  });
  return [table(PACED_HEADS, rows), faultsOf(results.map(({ result }) => result))]
    .filter(Boolean)
    .join('\n\n');
}

function titleOf({ title }: ComparedSystem, { version }: { version: string }): string {
  return `${title} (${version})`;
}

function countOf({ samples, differences }: { samples: number; differences: readonly string[] }): string {
  return differences.length === 0 ? number(samples) : 'VOID';
}

function faultsOf(results: readonly JobResult<{ differences: readonly string[] }>[]): string {
  return results
    .flatMap(({ system, figures }) =>
      (figures?.differences ?? []).map((text) => `VOID, ${system.title}: ${text}`),
    )
    .join('\n');
}
