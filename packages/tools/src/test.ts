import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPORT_VARIABLE } from '@tidewatch/testkit/parts/report';
import { findParts } from './parts.ts';
import { countTests, type Report } from './totals.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tidewatch-report-'));
const file = join(folder, 'report.json');
const partsFile = join(folder, 'parts.ndjson');
writeFileSync(partsFile, '');
const vitest = join(root, 'node_modules/vitest/vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
const done = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, [REPORT_VARIABLE]: partsFile },
});

const parts = findParts(partsFile);
console.log('Real parts:');
for (const part of parts) {
  console.log(`  ${part.state.padEnd(8)}${part.name}: ${part.detail}`);
}
let report: Report | undefined;
try {
  report = JSON.parse(readFileSync(file, 'utf8'));
} catch {
  console.log('vitest left no report.');
}
rmSync(folder, { recursive: true, force: true });

const required = (process.env.TIDEWATCH_TEST_REQUIRE ?? '').toLowerCase().split(',');
const lacked = parts
  .filter((part) => part.state === 'lacked' && !required.includes(part.name.toLowerCase()))
  .map((part) => part.name);
const strict = ['true', '1'].includes(process.env.CI ?? '') || required.some((name) => name !== '');
const totals = report
  ? countTests(report, strict, lacked)
  : { passed: 0, failed: 1, skipped: 0, remarks: [] };
if (done.status !== 0 && totals.failed === 0) {
  totals.failed = 1;
  totals.remarks.push('vitest reported an error outside of all tests (see above)');
}
for (const remark of totals.remarks) {
  console.log(remark);
}
console.log(`${totals.passed} passed, ${totals.failed} failed, ${totals.skipped} skipped`);
process.exitCode = totals.failed === 0 ? 0 : 1;
