import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { PROGRAM_ENVIRONMENT } from '@tidewatch/harness/program-environment';
import { fileOf } from '@tidewatch/stack/service-process';

/** A running `npm run storage:convert`. */
export interface RunningConversion {
  /** Resolves with the exit code, or null after a signal. */
  ended: Promise<number | null>;
  kill(): void;
}

/** Converts a database, by its URL as superuser; appends the output to `log`. */
export function startConversion(databaseUrl: string, log: string): RunningConversion {
  const out = openSync(log, 'a');
  const child = spawn(process.execPath, [fileOf('apps/standalone/src/convert-storage.ts')], {
    env: { ...PROGRAM_ENVIRONMENT, TIDEWATCH_ADMIN_DATABASE_URL: databaseUrl },
    stdio: ['ignore', out, out],
  });
  closeSync(out);
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
  return { ended, kill: () => void child.kill('SIGKILL') };
}
