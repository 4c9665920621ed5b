import type { KeyUse } from '@tidewatch/contracts/values/access';
import type { Lifecycle } from '../process/lifecycle.ts';
import type { Logger } from '../telemetry/logger.ts';
import { type Authentication, createAuthentication } from './authentication.ts';
import { type KeyUses, startKeyUses } from './key-uses.ts';

export interface KeyAccess {
  authentication: Authentication;
  uses: KeyUses;
}

export interface KeyAccessOptions {
  /** Looks keys up. */
  keys: Parameters<typeof createAuthentication>[0]['keys'];
  /** Stores when keys were used. */
  record: (uses: KeyUse[]) => Promise<void>;
  /** The current time, milliseconds since the epoch. */
  clock: () => number;
  logger: Logger;
}

/** Opens the authentication of a process, and the record of when each API key was used. */
export async function openKeyAccess(lifecycle: Lifecycle, options: KeyAccessOptions): Promise<KeyAccess> {
  const { keys, record, clock, logger } = options;
  const uses = await lifecycle.open(
    'uses of keys',
    () => startKeyUses({ write: record, clock, logger }),
    (part) => part.stop(),
  );
  return { authentication: createAuthentication({ keys, clock, logger, uses }), uses };
}

/** The reason why keys cannot be looked up, as a list for a readiness check; empty while they can. */
export function keyReasons(isHealthy: boolean): string[] {
  return isHealthy ? [] : ['keys cannot be looked up: the database is unavailable; cached keys are accepted'];
}
