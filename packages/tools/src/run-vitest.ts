import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { REPORT_VARIABLE } from '@tidewatch/harness/parts/report';
import type { Report } from './totals.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** One of the vitest runs that are started concurrently. */
export interface VitestRun {
  /** The name of the files that the run writes. */
  name: string;
  arguments: readonly string[];
  /** True if the run's output is shown while it runs; otherwise it is shown after the run has ended. */
  isShown: boolean;
}

export interface VitestOutcome {
  /** True if vitest reported no failure, neither in tests nor outside of them. */
  isClean: boolean;
  /** The JSON report; undefined if the run wrote none. */
  report: Report | undefined;
  name: string;
  /** When the run began and ended, s after this process. */
  beganAt: number;
  endedAt: number;
}

export interface VitestFiles {
  /** The folder for what vitest writes. */
  folder: string;
  /** The file to which tests report their parts. */
  parts: string;
  /** The folder for the temporary files of tests. */
  temporary: string;
}

/** Runs vitest with its files. Signals are passed on. */
export async function runVitest(run: VitestRun, files: VitestFiles): Promise<VitestOutcome> {
  const { folder, parts, temporary } = files;
  const reportFile = join(folder, `${run.name}.json`);
  const output = join(folder, `${run.name}.txt`);
  const to = run.isShown ? 'inherit' : openSync(output, 'w');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const beganAt = secondsSinceStart();
  const child = spawn(process.execPath, [vitest, 'run', ...reporters, ...run.arguments], {
    cwd: root,
    stdio: ['inherit', to, to],
    env: { ...process.env, TMPDIR: temporary, [REPORT_VARIABLE]: parts },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const [code] = await once(child, 'exit');
  if (typeof to === 'number') closeSync(to);
  if (!run.isShown) process.stdout.write(readFileSync(output));
  const { name } = run;
  return { isClean: code === 0, report: readReport(reportFile), name, beganAt, endedAt: secondsSinceStart() };
}

function secondsSinceStart(): number {
  return Math.round(performance.now() / 1_000);
}

function readReport(file: string): Report | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}
