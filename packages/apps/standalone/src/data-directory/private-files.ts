import { join } from 'node:path';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { restrictMode } from '@tidewatch/runtime/settings/secret-files';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';

const OF_OTHERS = 0o077;
const WRITE_OF_OTHERS = 0o022;

/** The paths of files with secrets, in the data directories of the single process and of the stack. */
export const SECRET_FILES = [
  ...['admin-key', 'admin-key.draft', 'passwords.json', 'secret-key'],
  ...['kafka-password', 'postgres-password', 'redis-password', 'stack.json'],
];

/**
 * Removes the access of other users to the secrets of a data directory, which copies or restored archives may give, and
 * logs that. Throws StartRefusedError if modes cannot be changed.
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
