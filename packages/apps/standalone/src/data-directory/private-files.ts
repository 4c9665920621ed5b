import { join } from 'node:path';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { restrictMode } from '@tidewatch/runtime/settings/secret-files';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';

const OF_OTHERS = 0o077;
const WRITE_OF_OTHERS = 0o022;

/** The files that hold secrets, where they are, in the data directories of one process and of the stack. */
export const SECRET_FILES = [
  ...['admin-key', 'admin-key.draft', 'passwords.json', 'secret-key'],
  ...['kafka-password', 'postgres-password', 'redis-password', 'stack.json'],
];

/**
 * Takes from others the access to secrets of a data directory (a copy or a restored archive may give it), and the right to
 * replace them, and says so. Throws StartRefusedError where that is not possible, as on a share without modes.
 */
export function keepPrivate(directory: string, logger: Pick<Logger, 'warn'>): void {
  restrict(directory, WRITE_OF_OTHERS, logger);
  for (const name of SECRET_FILES) restrict(join(directory, name), OF_OTHERS, logger);
}

function restrict(path: string, taken: number, logger: Pick<Logger, 'warn'>): void {
  const restricted = restrictMode(path, taken);
  if (restricted === null) return;
  const { mode, isPrivate } = restricted;
  if (!isPrivate)
    throw new StartRefusedError(
      `${path} is open to other users (mode ${mode}), and its mode cannot be changed. Make it private (chmod go-rwx), or ` +
        'put TIDEWATCH_DATA_DIR on a filesystem that keeps modes.',
    );
  logger.warn(
    { path, mode },
    'a path of the data directory was open to other users and is private now: replace its secrets if they may have read or changed them',
  );
}
