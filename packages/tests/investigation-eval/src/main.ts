import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join, resolve } from 'node:path';
import { CALIBRATION } from '@tidewatch/domain/investigation/rank/calibration';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { trainingExamples } from './calibrate/examples.ts';
import { fit } from './calibrate/fit.ts';
import { type EvaluationOptions, readOptions, USAGE } from './options.ts';
import type { Part } from './part.ts';
import { PARTS } from './parts.ts';

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return print(USAGE);
  if (options.fit) return print(JSON.stringify(fit(trainingExamples(options.seeds), CALIBRATION), null, 2));
  print(
    `# Evaluation of investigations\n\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  );
  const figures: Record<string, unknown> = {};
  for (const part of PARTS.filter(({ key }) => options.only.length === 0 || options.only.includes(key))) {
    print(`\n## ${part.name}\n`);
    const found = await part.run(options, print);
    if (found === null) leaveOut(part, options);
    figures[part.name] = found;
  }
  write(options, figures);
}

/** Prints that a part of the evaluation has no recorded data; that is an error only if an option asks for it. */
function leaveOut({ key, name }: Part, { data, only }: EvaluationOptions): void {
  print(`LEFT OUT: ${name}, since there is no recording in ${join(resolve(data), key)}.`);
  if (only.includes(key)) process.exitCode = 1;
}

function write({ json }: EvaluationOptions, figures: Record<string, unknown>): void {
  if (json === null) return;
  writeFileSync(resolve(process.env['INIT_CWD'] ?? '.', json), `${JSON.stringify(figures, null, 2)}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof ConfigError ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
