import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** The folders that contain commands. PATH of the environment is not used, so that it cannot name another program. */
export const COMMAND_PATH =
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/run/current-system/sw/bin:/usr/lib/wsl/lib';
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const DEFAULT_TIMEOUT_MS = 10_000;

export interface CommandResult {
  /** The exit code. */
  code: number;
  stdout: string;
}

/** Runs a command; undefined where it is not installed or may not be run. */
export type RunCommand = (file: string, args: readonly string[]) => Promise<CommandResult | undefined>;

/** Creates a function that runs commands in English. It rejects if a command is killed, as after the timeout. */
export function commandRunner(path = COMMAND_PATH, timeoutMs = DEFAULT_TIMEOUT_MS): RunCommand {
  const options = {
    env: { PATH: path, LC_ALL: 'C' },
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
    maxBuffer: MAX_OUTPUT_BYTES,
  } as const;
  return (file, args) =>
    new Promise((resolve, reject) => {
      const program = findProgram(file, path);
      // Not tried, because a process is expensive to start even if its program does not exist.
      if (program === undefined) return resolve(undefined);
      execFile(program, args, options, (error, stdout) => {
        if (error === null) resolve({ code: 0, stdout });
        else if (typeof error.code === 'number') resolve({ code: error.code, stdout });
        else if (error.code === 'ENOENT' || error.code === 'EACCES') resolve(undefined);
        else if (error.killed) reject(new Error(`${file} did not end within ${timeoutMs} ms`));
        else reject(new Error(`${file} failed: ${error.message.split('\n', 1)[0]}`));
      });
    });
}

function findProgram(file: string, path: string): string | undefined {
  const programs = path.split(':').map((folder) => join(folder, file));
  return programs.find((program) => {
    try {
      accessSync(program, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
