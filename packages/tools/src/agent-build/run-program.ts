import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const TIMEOUT_MS = 600_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
const execute = promisify(execFile);

/** Runs a program to its end. Returns what it printed; rejects with its output if it fails, or after ten minutes. */
export async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await execute(program, [...args], {
    env: { ...process.env, ...env },
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
  });
  return stdout;
}
