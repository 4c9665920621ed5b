import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { commandRunner } from '../collectors/run-command.ts';
import type { AgentOptions } from '../configuration/options.ts';
import type { DownloadSource } from './download.ts';
import { settleUpdate } from './pending-update.ts';
import { RefusedUpdateError } from './refused-update.ts';
import { type UpdateHost, updateAgent } from './update-agent.ts';

const UNIT = 'tidewatch-agent.service';
const RUN_TIMEOUT_MS = 60_000;
const COMMAND_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;

const DOWNLOAD_TIMEOUT_MS = 600_000;
const PREVIOUS = /\.previous$/;
/** Arguments of the command update alone. */
const OWN_ARGUMENTS = new Set(['update', '--force', '--allow-downgrade']);

/** What the executable is: its version, and the key that verifies updates. */
export interface Built {
  version: string;
  publicKey: string | undefined;
}

/** The parts of `process` by which an agent updates itself. */
type OwnProcess = Pick<NodeJS.Process, 'argv' | 'execPath' | 'platform' | 'arch' | 'stdout' | 'stderr'>;

/** Updates this executable. Returns the exit code: 1 where it refuses, with the reason on standard error. */
export async function runUpdate(
  { bufferDirectory, force, allowDowngrade }: AgentOptions,
  source: Omit<DownloadSource, 'timeoutMs'>,
  { version, publicKey }: Built,
  own: OwnProcess,
): Promise<number> {
  try {
    const args = own.argv.slice(2).filter((argument) => !OWN_ARGUMENTS.has(argument));
    await updateAgent({
      source: { ...source, timeoutMs: DOWNLOAD_TIMEOUT_MS },
      executable: own.execPath.replace(PREVIOUS, ''),
      version,
      target: `${own.platform}-${own.arch}`,
      publicKey,
      bufferDirectory,
      force,
      allowDowngrade,
      host: updateHost(args, (line) => void own.stdout.write(`${line}\n`)),
    });
    return 0;
  } catch (error) {
    const isExpected = error instanceof RefusedUpdateError;
    own.stderr.write(`Not updated: ${isExpected ? error.message : (error as Error).stack}\n`);
    return 1;
  }
}

/** Settles an update before the agent starts. Returns what was decided. Throws a ConfigError without a buffer folder. */
export function runSettle({ bufferDirectory }: AgentOptions, program: string): string {
  if (bufferDirectory === null) throw new ConfigError('settle needs --buffer-dir, the folder of the agent');
  const settled = settleUpdate(program.replace(PREVIOUS, ''), bufferDirectory, Date.now(), true);
  return `the update of the agent: ${settled}`;
}

/** The machine that an agent updates itself on; `args` are the settings with which it was started, without a command. */
function updateHost(args: readonly string[], print: (line: string) => void): UpdateHost {
  const command = commandRunner(undefined, COMMAND_TIMEOUT_MS);
  return {
    clock: Date.now,
    async isPackaged(path) {
      return (await command('dpkg-query', ['--search', path]))?.code === 0;
    },
    run(executable, word) {
      const options = {
        timeout: RUN_TIMEOUT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT_BYTES,
      } as const;
      return new Promise((resolve) => {
        execFile(
          executable,
          word === 'check' ? ['check', ...args] : [word],
          options,
          (error, stdout, stderr) => {
            const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
            resolve({ code, output: `${stdout}${stderr}` || (error?.message ?? '') });
          },
        );
      });
    },
    async restart() {
      if (!existsSync('/run/systemd/system')) return false;
      if ((await command('systemctl', ['is-enabled', '--quiet', UNIT]))?.code !== 0) return false;
      return (await command('systemctl', ['restart', '--no-block', UNIT]))?.code === 0;
    },
    print,
  };
}
