import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findBinaries, type PostgresBinaries } from '@tidewatch/standalone/postgres/binaries';
import { POSTGRES_MAJOR } from '@tidewatch/standalone/postgres/cluster';
import { PostgresUnusableError } from '@tidewatch/standalone/postgres/unusable';
import { findTimescale } from './timescale-binaries.ts';

export interface ChosenServer {
  binaries: PostgresBinaries;
  timescale: boolean;
  detail: string;
}

/**
 * Chooses the PostgreSQL for a folder: for existing data one of the same version; otherwise one with TimescaleDB if the
 * machine has it, or that of the npm package. Throws PostgresUnusableError if there is none.
 */
export function chooseServer(home: string): ChosenServer {
  const kept = majorOf(join(home, 'data', 'PG_VERSION'));
  const found = findTimescale();
  if (found !== null && (kept === null || kept === found.major)) {
    return { binaries: found.binaries, timescale: true, detail: found.detail };
  }
  if (kept !== null && kept !== POSTGRES_MAJOR) {
    throw new PostgresUnusableError(
      `The data in ${home} was written by PostgreSQL ${kept}, which is not found here. ` +
        'Install it again with its TimescaleDB, or start with another TIDEWATCH_DATA_DIR.',
    );
  }
  return {
    binaries: findBinaries(),
    timescale: false,
    detail: `PostgreSQL ${POSTGRES_MAJOR} of the npm package, which has no TimescaleDB`,
  };
}

function majorOf(file: string): number | null {
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}
