import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createProduct, createStack, type Product } from '@tidewatch/harness/product';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import type { BenchOptions } from './bench-options.ts';
import { serverVersion, withAdmin } from './database.ts';
import { describeMachine, type Machine, machineLine } from './measure/machine.ts';
import { readOptions, USAGE } from './options.ts';
import { PRODUCT_SETTINGS } from './product-settings.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios.ts';

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    print(USAGE);
    return 0;
  }
  const file = options.json === null ? null : resolve(process.env.INIT_CWD ?? '.', options.json);
  if (file !== null) claim(file);
  const startedAt = new Date().toISOString();
  const scenario = SCENARIOS[options.scenario] as Scenario;
  const begin = (machine: Machine) =>
    print(
      `${options.scenario}, ${scenario.standsAlone ?? options.topology}, ${startedAt}\n${machineLine(machine)}\n`,
    );
  const { machine, valid, figures } = await measure(scenario, options, begin);
  if (file !== null)
    writeFileSync(file, `${JSON.stringify({ options, startedAt, machine, valid, figures }, null, 2)}\n`);
  return valid ? 0 : 1;
}

async function measure(
  scenario: Scenario,
  options: BenchOptions,
  begin: (machine: Machine) => void,
): Promise<Outcome & { machine: Machine }> {
  const machine = describeMachine(tmpdir(), '');
  if (scenario.standsAlone !== undefined) {
    begin(machine);
    onInterrupt(async () => scenario.interrupt?.());
    return { machine, ...(await scenario.run(options, print)) };
  }
  await scenario.prepare?.();
  const product = await makeProduct(scenario, options);
  onInterrupt(() => product.remove());
  try {
    await product.start();
    machine.postgres = await withAdmin(product.dataDir, serverVersion);
    begin(machine);
    return { machine, ...(await scenario.run(product, options, print)) };
  } catch (error) {
    process.stderr.write(`${product.output()}\n`);
    throw error;
  } finally {
    await product.remove();
  }
}

/** Ends what was started before the process ends by a signal. */
function onInterrupt(end: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void end().finally(() => process.exit(1)));
}

/** Prepares the product that a scenario measures, without starting it. */
function makeProduct({ settings, restarts }: Scenario, { topology }: BenchOptions): Promise<Product> {
  const all = { ...PRODUCT_SETTINGS, ...settings };
  return topology === 'embedded' ? createProduct(all) : createStack(restarts ? [] : ['--no-restart'], all);
}

/** Checks before the measurement that the file can be written. */
function claim(file: string): void {
  try {
    writeFileSync(file, '');
  } catch (error) {
    throw new ConfigError(`--json: ${error instanceof Error ? error.message : error}`);
  }
}

process.exitCode = await main().catch((error: Error) => {
  const known = error instanceof ConfigError;
  process.stderr.write(
    `${known ? `${error.message}\nSee npm run bench -- --help` : (error.stack ?? error.message)}\n`,
  );
  return known ? 2 : 1;
});
