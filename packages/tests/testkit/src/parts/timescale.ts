import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '@tidewatch/stack/parts/postgres-server';
import { findTimescale } from '@tidewatch/stack/parts/timescale-binaries';
import { openStore } from '@tidewatch/store/connection';
import { offeredEdition } from '@tidewatch/store/editions/choice';
import type { EditionName } from '@tidewatch/store/editions/edition';
import { KEPT, type OpenPart } from './part.ts';

/** Where suites reach a PostgreSQL with TimescaleDB, as its superuser, and what its databases can be made as. */
export interface TimescaleAddress {
  url: string;
  editions: EditionName[];
}

/** The server of `TIDEWATCH_TEST_TIMESCALE_URL`, else one of our own where the machine has the extension. */
export async function openTimescalePart(): Promise<OpenPart<TimescaleAddress>> {
  const given = process.env.TIDEWATCH_TEST_TIMESCALE_URL;
  if (given) {
    const { host } = new URL(given);
    return { part: { state: 'given', ...(await describeServer(given, host)) }, close: KEPT };
  }
  const found = findTimescale();
  if (found === null) {
    return { part: { state: 'lacked', detail: 'no PostgreSQL here has TimescaleDB' }, close: KEPT };
  }
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-timescale-'));
  const password = randomUUID();
  const server = await startPostgres({ binaries: found.binaries, home, password, timescale: true });
  const url = `postgres://postgres:${password}@${server.host}:${server.port}/postgres`;
  return {
    part: { state: 'started', ...(await describeServer(url, found.detail)) },
    close: async () => {
      await server.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function describeServer(
  url: string,
  name: string,
): Promise<{ address: TimescaleAddress; detail: string }> {
  const admin = openStore({ url, max: 1, searchPath: 'public' });
  try {
    await admin.sql`create extension if not exists timescaledb`;
    const best = await offeredEdition(admin.sql);
    const editions: EditionName[] = best === 'community' ? ['plain', 'apache', 'community'] : ['plain', best];
    return { address: { url, editions }, detail: `${name}, edition ${best}` };
  } finally {
    await admin.close();
  }
}
