import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderForTest } from '@tidewatch/harness/opened';
import { beforeEach, expect, test } from 'vitest';
import type { Verdict } from '../check/verify.ts';
import type { FaultCase } from '../fault-case.ts';
import type { CaseResult } from '../run-case.ts';
import { writeReport } from './document.ts';

let folder: string;
beforeEach(() => {
  folder = folderForTest();
});

const machine = {
  processor: 'processor',
  cores: 2,
  memoryMiB: 1,
  kernel: 'Linux',
  node: '24',
  postgres: '18',
  fileSystem: 'ext4',
  loadBefore: 0,
};
const verdict: Verdict = {
  rows: { rowsExpected: 0, rowsFound: 0, missing: 0, unexpected: 0, doubled: 0, altered: 0, examples: [] },
  alerts: { expected: 4, missing: [], unexpected: [] },
  events: { missing: 0, extra: 0, unpublished: 0, unknown: 0 },
  deadLetters: 0,
  caughtUpSeconds: 0,
  faults: [],
};
const cases: FaultCase[] = ['1', '5c'].map((id) => ({
  id,
  fault: `fault ${id}`,
  failpoints: [],
  run: async () => {},
}));
const result = (id: string, missing: number): CaseResult => ({
  id,
  fault: `fault ${id}`,
  fired: { one: 2, two: 3 },
  sent: 1_000,
  acknowledged: 1_000,
  found: 1_000 - missing,
  missing,
  doubled: 0,
  wrong: 0,
  verdict,
  refusals: {},
  peakBytes: {},
  notes: [`note of ${id}`],
  faults: missing > 0 ? ['rows differ'] : [],
  seconds: 1,
});

test('writing the report of some cases replaces their rows and notes, and keeps the others', () => {
  const file = join(folder, 'report.md');
  const write = (results: CaseResult[], seed: number) =>
    writeReport(file, cases, results, { seed, command: 'a command', machine, at: new Date(0) });
  write([result('5c', 10), result('1', 0)], 7);
  write([result('5c', 0)], 8);
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter(
      (line) =>
        line.startsWith('| 1') ||
        line.startsWith('| 5c') ||
        line.startsWith('- 1') ||
        line.startsWith('- 5c'),
    )
    .map((line) => line.replaceAll(/ +/g, ' '));
  expect(rows).toEqual([
    '| 1 | fault 1 | 5 | 1,000 | 1,000 | 1,000 | 0 | 0 | 0 | 4 | 0 | 0 | 0 | 0 | yes | 7 |',
    '| 5c | fault 5c | 5 | 1,000 | 1,000 | 1,000 | 0 | 0 | 0 | 4 | 0 | 0 | 0 | 0 | yes | 8 |',
    '- 1: note of 1',
    '- 5c: note of 5c',
  ]);
});

test('a failed case is marked in the report', () => {
  const file = join(folder, 'report.md');
  writeReport(file, cases, [result('1', 10)], { seed: 1, command: 'a command', machine, at: new Date(0) });
  expect(readFileSync(file, 'utf8')).toMatch(/\| 990 +\| 10 +\|.*\| NO +\|/);
});

test('figures that were not compared are left out of the report', () => {
  const file = join(folder, 'report.md');
  const failed = { ...result('1', 10), verdict: null };
  writeReport(file, cases, [failed], { seed: 1, command: 'a command', machine, at: new Date(0) });
  expect(readFileSync(file, 'utf8').replaceAll(/ +/g, ' ')).toContain('| 5 | - | - | - | - | - | - | - |');
});
