import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Machine, machineLine } from '@tidewatch/bench/measure/machine';
import { number, table } from '@tidewatch/bench/report/table';
import type { FaultCase } from '../fault-case.ts';
import type { CaseResult } from '../run-case.ts';

const HEADS = [
  ...['case', 'fault', 'fired', 'sent', 'acknowledged', 'found', 'missing', 'doubled', 'wrong'],
  ...['alerts', 'missing', 'unexpected', 'no event', 'extra events', 'held', 'seed'],
];

const INTRODUCTION = `# Reliability

What Tidewatch loses and doubles when its processes, parts and connections fail. \`npm run test:faults\` does
each fault of the table to real processes under load and writes this page; \`npm test\` does a short selection of them.

A generator sends samples whose every value is known and keeps a ledger of what was acknowledged; a request that was
refused or had no answer is sent again. At the end every stored sample is read back, as the product reads it and by the
SQL functions for tools of users, and compared with the ledger. Rollups must equal a recount of the samples, alerts must
be those that the rules call for by the ledger, with their times, and each firing and resolution must have exactly one
event. Investigations that were asked for (21a to 21c) must all have ended, a failed one with its reason, each with one
event and with the evidence of one run. A case also fails when its fault did not happen, or when something else that it
promises did not hold; then **held** says NO, and figures that were not compared are left out. Where samples are kept as
a log, it is sealed every second or two, and chunks must not overlap; \`--layout rows|log\` chooses.
Rows may come from several runs, short ones among them.

- **fired**: how often the fault was seen to happen, all of its kinds together
- **sent**, **acknowledged**, **found**: samples; what is sent again counts once
- **missing**: acknowledged and not stored; **doubled**: stored twice; **wrong**: stored with another value, or never sent
- **alerts**: called for by the ledger, and those that are missing or that nothing calls for
- **no event**, **extra events**: firings and resolutions without an event, and events too many
`;

/** Writes the results into a document; rows of cases that were not run stay as they are. */
export function writeReport(
  file: string,
  cases: readonly FaultCase[],
  results: readonly CaseResult[],
  run: { seed: number; command: string; machine: Machine; at: Date },
): void {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const rows = new Map<string, string[]>();
  const notes = new Map<string, string>();
  for (const line of before.split('\n')) {
    const cells = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    const [id = ''] = cells;
    if (cells.length === HEADS.length && cases.some((each) => each.id === id)) rows.set(id, cells);
    const noted = /^- (\w+): (.*)$/.exec(line);
    if (noted && cases.some((each) => each.id === noted[1]))
      notes.set(noted[1] as string, noted[2] as string);
  }
  for (const result of results) {
    rows.set(result.id, rowOf(result, run.seed));
    notes.delete(result.id);
    if (result.notes.length > 0) notes.set(result.id, result.notes.join('; '));
  }
  const inOrder = cases.flatMap(({ id }) => rows.get(id) ?? []).length;
  const body = cases.flatMap(({ id }) => (rows.has(id) ? [rows.get(id) as string[]] : []));
  const said = cases.flatMap(({ id }) => (notes.has(id) ? [`- ${id}: ${notes.get(id)}`] : []));
  if (inOrder === 0) return;
  const written = [
    INTRODUCTION,
    `Latest run: ${run.at.toISOString().slice(0, 10)}, \`${run.command}\`, on ${machineLine(run.machine)}.\n`,
    table(HEADS, body),
    '\n## What was seen besides\n',
    ...said,
  ];
  writeFileSync(file, `${written.join('\n')}\n`);
}

function rowOf(result: CaseResult, seed: number): string[] {
  const { id, fault, fired, sent, acknowledged, found, missing, doubled, wrong, verdict, faults } = result;
  const compared = verdict !== null;
  const of = (value: number | undefined) => (value === undefined ? '-' : number(value));
  return [
    ...[id, fault, of(Object.values(fired).reduce((sum, count) => sum + count, 0))],
    ...[sent, acknowledged, found, missing, doubled, wrong].map((count) => of(compared ? count : undefined)),
    ...[verdict?.alerts.expected, verdict?.alerts.missing.length, verdict?.alerts.unexpected.length].map(of),
    ...[verdict?.events.missing, verdict?.events.extra].map(of),
    ...[faults.length === 0 ? 'yes' : 'NO', String(seed)],
  ];
}
