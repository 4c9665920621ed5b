/**
 * Runs the tests: all, or those given as arguments for vitest. What mostly waits, such as brokers, runs beside what computes. The last
 * line has the totals, "N passed, N failed, N skipped".
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findParts } from './parts.ts';
import { runVitest, type VitestOutcome, type VitestRun } from './run-vitest.ts';
import { createMemoryFolder } from './temporary-files/memory-folder.ts';
import { addTotals, countTests, type Totals } from './totals.ts';

const asked = process.argv.slice(2);
const ofProjects = (...names: readonly string[]) => names.flatMap((name) => ['--project', name]);
/** As many runs go on at a time; the others begin in this order, the longest first, as room is made. */
const AT_ONCE = 3;
const runs: VitestRun[] =
  asked.length > 0
    ? [{ name: 'asked', arguments: asked, isShown: true }]
    : [
        // All that no other run names, so that a new project is not left out.
        {
          name: 'rest',
          arguments: ofProjects('!*-stack', '!distributed', '!faults', '!e2e', '!e2e-rows', '!console'),
          isShown: true,
        },
        { name: 'stack', arguments: ofProjects('*-stack'), isShown: false },
        { name: 'console', arguments: ofProjects('console'), isShown: false },
        { name: 'brokers', arguments: ofProjects('distributed'), isShown: false },
        // In thirds, so that none of the runs is alone at the end: what is tested through the product mostly waits.
        { name: 'e2e-1', arguments: [...ofProjects('e2e', 'e2e-rows'), '--shard=1/3'], isShown: false },
        { name: 'e2e-2', arguments: [...ofProjects('e2e', 'e2e-rows'), '--shard=2/3'], isShown: false },
        { name: 'e2e-3', arguments: [...ofProjects('e2e', 'e2e-rows'), '--shard=3/3'], isShown: false },
        { name: 'faults', arguments: ofProjects('faults'), isShown: false },
      ];
const folder = mkdtempSync(join(tmpdir(), 'tidewatch-report-'));
const partsFile = join(folder, 'parts.ndjson');
writeFileSync(partsFile, '');
// Who sets TMPDIR chooses another folder.
const inMemory = process.env.TMPDIR ? undefined : createMemoryFolder();
const temporary = inMemory ?? tmpdir();
const outcomes: VitestOutcome[] = [];
const waiting = [...runs];
await Promise.all(Array.from({ length: AT_ONCE }, runWaiting));

const parts = findParts(partsFile);
for (const each of inMemory === undefined ? [folder] : [folder, inMemory])
  rmSync(each, { recursive: true, force: true });
console.log('Real parts:');
for (const part of parts) {
  console.log(`  ${part.state.padEnd(8)}${part.name}: ${part.detail}`);
}
console.log(`Temporary files: ${temporary}`);
console.log('Runs:');
for (const { name, beganAt, endedAt } of outcomes) {
  console.log(`  ${name.padEnd(8)}from second ${beganAt} to ${endedAt}`);
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

async function runWaiting(): Promise<void> {
  for (let run = waiting.shift(); run !== undefined; run = waiting.shift())
    outcomes.push(await runVitest(run, { folder, parts: partsFile, temporary }));
}
