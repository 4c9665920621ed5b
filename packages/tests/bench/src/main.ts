import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { createProduct, createStack, type Product } from '@tidewatch/harness/product';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { readSampleLayout, type SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
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
  // The product is started with a layout as tests start it.
  if (options.layout !== null) process.env.TIDEWATCH_TEST_SAMPLE_LAYOUT = options.layout;
  const begin = ({ machine, layout }: Subject) => {
    const subject = scenario.standsAlone ?? `${options.topology}, samples in the layout ${layout}`;
    print(`${options.scenario}, ${subject}, ${startedAt}\n${machineLine(machine)}\n`);
  };
  const { valid, ...measured } = await measure(scenario, options, begin);
  if (file !== null)
    writeFileSync(file, `${JSON.stringify({ options, startedAt, valid, ...measured }, null, 2)}\n`);
  return valid ? 0 : 1;
}

/** What is measured, and on what. */
interface Subject {
  machine: Machine;
  /** The layout of samples in the product's database; null without a product of this process. */
  layout: SampleLayout | null;
}

async function measure(
  scenario: Scenario,
  options: BenchOptions,
  begin: (subject: Subject) => void,
): Promise<Outcome & Subject> {
  const subject: Subject = { machine: describeMachine(tmpdir(), ''), layout: null };
  if (scenario.standsAlone !== undefined) {
    begin(subject);
    onInterrupt(async () => scenario.interrupt?.());
    return { ...subject, ...(await scenario.run(options, print)) };
  }
  await scenario.prepare?.();
  const product = await makeProduct(scenario, options);
  onInterrupt(() => product.remove());
  try {
    await product.start();
    await withAdmin(product.dataDir, async (sql) => {
      subject.machine.postgres = await serverVersion(sql);
      subject.layout = await readSampleLayout(sql);
    });
    if (options.layout !== null && options.layout !== subject.layout)
      throw new Error(`the database has the layout ${subject.layout}, not ${options.layout}`);
    begin(subject);
    return { ...subject, ...(await scenario.run(product, options, print)) };
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
