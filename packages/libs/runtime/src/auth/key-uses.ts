import type { KeyRecord, KeyUse } from '@tidewatch/contracts/values/access';
import { MINUTE_MS } from '@tidewatch/contracts/values/duration';
import type { Logger } from '../telemetry/logger.ts';

/** A key is noted this often at most. */
const EVERY_MS = MINUTE_MS;
/** How often is looked for keys that are due. */
const LOOK_MS = 5_000;
/** Hosts of one key that are noted at once. */
const MAX_HOSTS = 100;

interface Pending {
  organizationId: string;
  /** Of the last use that is not written, or null. */
  at: number | null;
  hosts: Set<string>;
  writtenAt: number;
}

export interface KeyUses {
  /** That a request came with the key; costs a look into a map. */
  note(key: KeyRecord): void;
  /** That the key reported for hosts. */
  noteHosts(key: KeyRecord, payloads: readonly { host: string }[]): void;
  /** Writes what is left. */
  stop(): Promise<void>;
}

/** Gathers when keys are used and writes it in batches, beside the requests and at most once a minute for each key. */
export function startKeyUses(options: {
  write: (uses: KeyUse[]) => Promise<void>;
  clock: () => number;
  logger: Logger;
}): KeyUses {
  const { write, clock, logger } = options;
  const pending = new Map<string, Pending>();
  let writing: Promise<void> = Promise.resolve();

  function of(key: KeyRecord): Pending {
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
      // Keys that rest are forgotten, so that the map holds those in use alone.
      if (use.at === null) pending.delete(keyId);
      else {
        uses.push({ organizationId: use.organizationId, keyId, at: use.at, hosts: [...use.hosts] });
        pending.set(keyId, { ...use, at: null, hosts: new Set(), writtenAt: now });
      }
    }
    return uses;
  }

  /** What cannot be written is not tried again: the next use says the same. */
  async function flush(writtenBefore: number): Promise<void> {
    const uses = takeDue(writtenBefore);
    if (uses.length === 0) return;
    await write(uses).catch((error: unknown) =>
      logger.warn({ err: error, keys: uses.length }, 'when keys were used could not be noted'),
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
