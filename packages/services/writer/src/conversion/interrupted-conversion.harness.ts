import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '@tidewatch/database/connection';
import type { TestDatabase } from '@tidewatch/harness/postgres';
import { type Conversion, convertStorage } from '@tidewatch/store/sample-conversion/convert-storage';
import { expect } from 'vitest';

const ENDED = 'ended between transactions';

/** Where a run is ended. */
export type End =
  | { kind: 'after transactions'; count: number }
  | { kind: 'after the switch' }
  /** The server ends its connections, this long after the first transaction. */
  | { kind: 'killed'; ms: number };

/** Converts on connections of its own, in transactions of a block each, after each of which it calls `committed`; `now` in ms. */
export async function convert(
  database: TestDatabase,
  now: number,
  { end, committed }: { end?: End; committed?: (() => void) | undefined } = {},
): Promise<Conversion> {
  const { sql, close } = openStore({
    url: database.adminUrl,
    max: 2,
    statementTimeoutMs: 0,
    applicationName: 'conversion',
  });
  const killer = end?.kind === 'killed' ? await openKiller(database) : undefined;
  let transactions = 0;
  let killing: Promise<unknown> | undefined;
  try {
    return await convertStorage(sql, {
      now,
      maxBlocks: 1,
      gracePeriodMs: 100,
      // So that what is killed is not done before.
      restMs: () => (killer === undefined ? 0 : 15),
      committed() {
        transactions += 1;
        committed?.();
        if (end?.kind === 'after transactions' && transactions >= end.count) throw new Error(ENDED);
        if (end?.kind === 'killed') killing ??= killer?.kill(end.ms);
      },
      switched() {
        if (end?.kind === 'after the switch') throw new Error(ENDED);
      },
    });
  } finally {
    killer?.end();
    await killing;
    await killer?.close();
    await close();
  }
}

/** Converts until the run is ended as is said. */
export async function convertAndEnd(
  database: TestDatabase,
  now: number,
  end: End,
  committed?: () => void,
): Promise<void> {
  const running = convert(database, now, { end, committed });
  await (end.kind === 'killed' ? expect(running).rejects.toThrow() : expect(running).rejects.toThrow(ENDED));
}

/** What ends the connections of a conversion again and again, since one that is idle is opened again. */
async function openKiller(database: TestDatabase) {
  const { sql, close } = openStore({ url: database.adminUrl, max: 1 });
  await sql`select 1`;
  let isKilling = true;
  return {
    close,
    end(): void {
      isKilling = false;
    },
    async kill(ms: number): Promise<void> {
      await sleep(ms);
      for (; isKilling; await sleep(2))
        await sql`
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = 'conversion' and datname = current_database()`;
    },
  };
}
