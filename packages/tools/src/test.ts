/**
 * Runs the tests: all, or those given as arguments for vitest. What mostly waits runs
 * beside what computes: brokers and the stack beside the units, then the scenarios beside the console. The last line has the totals,
 * "N passed, N failed, N skipped".
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findParts } from './parts.ts';
import { runVitest, type VitestOutcome, type VitestRun } from './run-vitest.ts';
import { addTotals, countTests, type Totals } from './totals.ts';

const asked = process.argv.slice(2);
const ofProjects = (...names: readonly string[]) => names.flatMap((name) => ['--project', name]);
/** Runs of one lane follow each other, and lanes run side by side. */
const lanes: VitestRun[][] =
  asked.length > 0
    ? [[{ name: 'asked', arguments: asked, isShown: true }]]
    : [
        [
          // All that no other run names, so that a new project is not left out.
          {
            name: 'rest',
            arguments: ofProjects('!*-stack', '!distributed', '!faults', '!e2e', '!console'),
            isShown: true,
          },
          { name: 'e2e', arguments: ofProjects('e2e'), isShown: false },
        ],
        [
          { name: 'stack', arguments: ofProjects('*-stack'), isShown: false },
          { name: 'console', arguments: ofProjects('console'), isShown: false },
        ],
        [
          { name: 'brokers', arguments: ofProjects('distributed'), isShown: false },
          { name: 'faults', arguments: ofProjects('faults'), isShown: false },
        ],
      ];
const folder = mkdtempSync(join(tmpdir(), 'tidewatch-report-'));
const partsFile = join(folder, 'parts.ndjson');
writeFileSync(partsFile, '');
const outcomes = (await Promise.all(lanes.map(outcomesOf))).flat();

const parts = findParts(partsFile);
rmSync(folder, { recursive: true, force: true });
console.log('Real parts:');
for (const part of parts) {
  console.log(`  ${part.state.padEnd(8)}${part.name}: ${part.detail}`);
}
const required = (process.env.TIDEWATCH_TEST_REQUIRE ?? '').toLowerCase().split(',');
const lacked = parts
  .filter((part) => part.state === 'lacked' && !required.includes(part.name.toLowerCase()))
  .map((part) => part.name);
const strict = ['true', '1'].includes(process.env.CI ?? '') || required.some((name) => name !== '');
const totals = outcomes
  .map(({ isClean, report }): Totals => {
    if (report === undefined)
      return { passed: 0, failed: 1, skipped: 0, remarks: ['vitest left no report.'] };
    const counted = countTests(report, strict, lacked);
    if (isClean || counted.failed > 0) return counted;
    const remark = 'vitest reported an error outside of all tests (see above)';
    return { ...counted, failed: 1, remarks: [...counted.remarks, remark] };
  })
  .reduce(addTotals);
for (const remark of totals.remarks) {
  console.log(remark);
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;

async function outcomesOf(lane: readonly VitestRun[]): Promise<VitestOutcome[]> {
  const ended: VitestOutcome[] = [];
  for (const run of lane) ended.push(await runVitest(run, folder, partsFile));
  return ended;
}
