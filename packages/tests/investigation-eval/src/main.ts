import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { resolve } from 'node:path';
import { CALIBRATION } from '@tidewatch/domain/investigation/rank/calibration';
import { trainingExamples } from './calibrate/examples.ts';
import { fit } from './calibrate/fit.ts';
import { type EvaluationOptions, OptionError, readOptions, USAGE } from './options.ts';
import { PARTS } from './parts.ts';

async function main(args: string[]): Promise<void> {
  const options = readOptions(args);
  if (options.help) return print(USAGE);
  if (options.fit) return print(JSON.stringify(fit(trainingExamples(options.seeds), CALIBRATION), null, 2));
  print(
    `# Investigations judged\n\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  );
  const figures: Record<string, unknown> = {};
  for (const part of PARTS) {
    print(`\n## ${part.name}\n`);
    figures[part.name] = await part.run(options, print);
  }
  write(options, figures);
}

function write({ json }: EvaluationOptions, figures: Record<string, unknown>): void {
  if (json === null) return;
  writeFileSync(resolve(process.env['INIT_CWD'] ?? '.', json), `${JSON.stringify(figures, null, 2)}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(error instanceof OptionError ? `${error.message}\n\n${USAGE}` : `${String(error)}\n`);
  process.exitCode = 1;
});
