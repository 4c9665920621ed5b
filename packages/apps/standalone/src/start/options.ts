import { resolve } from 'node:path';
import { readCommandOptions } from '@tidewatch/runtime/settings/command-options';
import type { Environment } from '@tidewatch/runtime/settings/config';

/** The options of a start on the command line. */
export interface StartOptions {
  help: boolean;
  version: boolean;
  /** The environment with the settings of the command line in place of variables with the same name. */
  env: Environment;
}

export const USAGE = `Runs Tidewatch in one process, on an embedded PostgreSQL.

  npm start -- [--port N] [--data-dir DIR]

  --port N         the port to listen on; TIDEWATCH_PORT, 8230 by default
  --data-dir DIR   folder of everything that is kept; TIDEWATCH_DATA_DIR, .tidewatch by default
  --version        the version
  --help           this text and all settings
`;

/**
 * Reads the options of a start, which override the environment. A relative folder is relative to where npm was called
 * (INIT_CWD). Throws ConfigError with a message for users.
 */
export function readStartOptions(args: readonly string[], env: Environment): StartOptions {
  const options = {
    port: { type: 'string' },
    'data-dir': { type: 'string' },
    version: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  const { help, version, ...given } = readCommandOptions(args, options, USAGE);
  return { help, version, env: withOptions(env, given) };
}

/** The environment with the settings that `--port` and `--data-dir` stand for. */
export function withOptions(
  env: Environment,
  given: { port?: string | undefined; 'data-dir'?: string | undefined },
): Environment {
  const directory = given['data-dir'];
  return {
    ...env,
    ...(given.port !== undefined && { TIDEWATCH_PORT: given.port }),
    ...(directory !== undefined && { TIDEWATCH_DATA_DIR: resolve(env.INIT_CWD ?? '.', directory) }),
  };
}
