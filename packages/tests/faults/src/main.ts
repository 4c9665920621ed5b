import { randomInt } from 'node:crypto';
import { serverVersion } from '@tidewatch/bench/database';
import { describeMachine } from '@tidewatch/bench/measure/machine';
import { openStore } from '@tidewatch/database/connection';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { CASES } from './cases/all.ts';
import { type Parts, startParts } from './harness/parts.ts';
import { readOptions, USAGE } from './options.ts';
import { writeReport } from './report/document.ts';
import { resultLine } from './report/result-line.ts';
import { type CaseResult, obstacleOf, runCase } from './run-case.ts';

const print = (text: string) => void process.stdout.write(`${text}\n`);

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), randomInt(2 ** 31));
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const wanted = CASES.filter(({ id }) => options.cases?.includes(id) ?? true);
  if (wanted.length === 0) throw new ConfigError(`there is no case ${options.cases?.join(', ')}`);
  const { seed, short, keep, sampleLayout } = options;
  print(`seed ${seed}`);
  const command = ['npm run test:faults --', ...process.argv.slice(2)].join(' ');
  const logger = createSilentLogger();
  const lifecycle = createLifecycle(logger);
  let current = createLifecycle(logger);
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(
      signal,
      () =>
        void current
          .close()
          .then(() => lifecycle.close())
          .finally(() => process.exit(1)),
    );
  const results: CaseResult[] = [];
  const skipped: string[] = [];
  try {
    const parts = await lifecycle.open(
      'parts',
      () => startParts({ keep }),
      (opened) => opened.close(),
    );
    const machine = describeMachine(parts.home, await versionOf(parts));
    if (keep) print(`logs and data: ${parts.home}`);
    for (const fault of wanted) {
      const obstacle = obstacleOf(fault);
      if (obstacle !== null) {
        skipped.push(fault.id);
        print(`skipped ${fault.id} ${fault.fault}: ${obstacle}`);
        continue;
      }
      current = createLifecycle(logger);
      const result = await runCase(fault, { parts, seed, sampleLayout, short, keep }, current).finally(() =>
        current.close(),
      );
      results.push(result);
      print(resultLine(result));
      // Written after each case, so that the results of an interrupted run are kept.
      if (options.report !== null)
        writeReport(options.report, CASES, [result], { seed, command, machine, at: new Date() });
    }
  } finally {
    await lifecycle.close();
  }
  const failed = results.filter(({ faults }) => faults.length > 0);
  print(`${results.length - failed.length} held, ${failed.length} failed, ${skipped.length} skipped`);
  const strict = ['true', '1'].includes(process.env.CI ?? '');
  return failed.length > 0 || (strict && skipped.length > 0) ? 1 : 0;
}

async function versionOf({ postgres }: Parts): Promise<string> {
  const store = openStore({ url: postgres.url('postgres'), max: 1, searchPath: 'public' });
  try {
    return await serverVersion(store.sql);
  } finally {
    await store.close();
  }
}

process.exitCode = await main().catch((error: Error) => {
  const known = error instanceof ConfigError;
  process.stderr.write(
    `${known ? `${error.message}\nSee npm run test:faults -- --help` : (error.stack ?? error.message)}\n`,
  );
  return known ? 2 : 1;
});
