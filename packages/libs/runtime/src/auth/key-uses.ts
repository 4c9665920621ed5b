import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { KeyRecord, KeyUse } from '@tidewatch/contracts/values/access';
import type { Logger } from '../telemetry/logger.ts';

/** Minimum time between two writes of one key's use. */
const EVERY_MS = MINUTE_MS;
/** Time between two checks for keys whose use is due to be written. */
const LOOK_MS = 5_000;
/** Maximum number of hosts of one key in a batch. */
const MAX_HOSTS = 100;

/** A key, or a session, whose use is recorded in the same way. */
type Used = Pick<KeyRecord, 'id' | 'organizationId'>;

interface Pending {
  organizationId: string;
  /** Time of the last use that is not written, or null. */
  at: number | null;
  hosts: Set<string>;
  writtenAt: number;
}

export interface KeyUses {
  /** Records that a request used the key; costs one look-up in a map. */
  note(key: Used): void;
  /** Records the hosts that the key sent payloads for. */
  noteHosts(key: Used, payloads: readonly { host: string }[]): void;
  /** Writes buffered uses and stops. */
  stop(): Promise<void>;
}

/** Buffers when keys are used and writes it in batches, in the background and at most once a minute for each key. */
export function startKeyUses(options: {
  write: (uses: KeyUse[]) => Promise<void>;
  clock: () => number;
  logger: Logger;
  /** Whether keys are used, or sessions that act for keys; a field of log lines. */
  what?: 'keys' | 'sessions';
}): KeyUses {
  const { write, clock, logger, what = 'keys' } = options;
  const pending = new Map<string, Pending>();
  let writing: Promise<void> = Promise.resolve();

  function of(key: Used): Pending {
    let known = pending.get(key.id);
    if (known === undefined) {
      known = {
        organizationId: key.organizationId,
        at: null,
        hosts: new Set(),
        writtenAt: Number.NEGATIVE_INFINITY,
      };
      pending.set(key.id, known);
    }
    return known;
  }

  function takeDue(writtenBefore: number): KeyUse[] {
    const now = clock();
    const uses: KeyUse[] = [];
    for (const [keyId, use] of pending) {
      if (use.writtenAt > writtenBefore) continue;
      // Unused keys are removed, so that the map has only those in use.
      if (use.at === null) pending.delete(keyId);
      else {
        uses.push({ organizationId: use.organizationId, keyId, at: use.at, hosts: [...use.hosts] });
        pending.set(keyId, { ...use, at: null, hosts: new Set(), writtenAt: now });
      }
    }
    return uses;
  }

  /**
   * Writes the uses that were last written before `writtenBefore`. A failed write is not retried, since the next use of the
   * key is written anyway.
   */
  async function flush(writtenBefore: number): Promise<void> {
    const uses = takeDue(writtenBefore);
    if (uses.length === 0) return;
    await write(uses).catch((error: unknown) =>
      logger.warn(
        { err: error, [what]: uses.length },
        what === 'keys'
          ? 'could not write when keys were last used; dropped, and written at their next use'
          : 'could not write when sessions were last used; dropped, and written at their next use',
      ),
    );
  }

  const timer = setInterval(() => {
    writing = writing.then(() => flush(clock() - EVERY_MS));
  }, LOOK_MS);

  return {
    note(key) {
      of(key).at = clock();
    },
    noteHosts(key, payloads) {
      const { hosts } = of(key);
      for (const { host } of payloads) {
        if (hosts.size >= MAX_HOSTS) return;
        hosts.add(host);
      }
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await flush(Number.POSITIVE_INFINITY);
    },
  };
}
