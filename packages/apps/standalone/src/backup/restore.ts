import { createReadStream, existsSync, rmSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import type { Store } from '@tidewatch/database/connection';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { databaseHome, makeDataDirectory, readPasswords } from '../data-directory/data-directory.ts';
import { lockDirectory } from '../data-directory/directory-lock.ts';
import { connectAdmin, DATABASE, openServer, provision } from '../database.ts';
import { withMigrationsUpTo } from './earlier-migrations.ts';
import { withPresentNames } from './earlier-names.ts';
import { type BackupHeader, headerSchema } from './format.ts';
import { ImportRefusedError, importAll } from './import.ts';

/**
 * Restores a backup into `directory`, which must contain no data; returns the number of rows. A failed restore removes the
 * incomplete database, so that no process starts on it.
 */
export async function restore(
  directory: string,
  file: string,
  clock: () => number,
  logger: Logger,
): Promise<number> {
  const lines = openLines(file);
  const header = withPresentNames(await readHeader(lines));
  const lifecycle = createLifecycle(logger);
  const isNew = !existsSync(databaseHome(directory));
  let restored = false;
  try {
    makeDataDirectory(directory);
    lifecycle.defer('data directory', lockDirectory(directory, clock()));
    lifecycle.defer('half a database', () => {
      if (isNew && !restored) rmSync(databaseHome(directory), { recursive: true, force: true });
    });
    const server = await lifecycle.open(
      'postgresql',
      () => openServer(directory, logger),
      (part) => part.stop(),
    );
    // Inserts the rows into the schema from which they were exported; later migrations then convert them.
    await withMigrationsUpTo(header.schema, (folder) => provision(server, directory, folder));
    const admin = connectAdmin(server.host, server.port, readPasswords(directory).postgres, DATABASE);
    const rows = await importAll(admin.sql, header, lines).finally(() => admin.close());
    await provision(server, directory);
    await endRestoredSessions(
      connectAdmin(server.host, server.port, readPasswords(directory).postgres, DATABASE),
    );
    restored = true;
    return rows;
  } finally {
    await lifecycle.close();
  }
}

/**
 * Some sessions and links of a backup may have been ended or used after it was made. The installation that the backup came from may
 * still run on the same host, so the cookies of this one get another name.
 */
async function endRestoredSessions({ sql, close }: Store): Promise<void> {
  try {
    await sql.begin(async (tx) => {
      await tx`delete from sessions`;
      await tx`delete from sign_in_links`;
      await tx`update installation set cookie_id = lpad(floor(random() * 100000000)::bigint::text, 8, '0')`;
    });
  } finally {
    await close();
  }
}

/** Yields lines that end at a line feed only; readline would also divide them at U+2028, which texts may contain. */
async function* openLines(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  const read = pipeline(createReadStream(file), gunzip);
  read.catch(() => {}); // awaited below
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const piece of gunzip) {
    const lines = (rest + decoder.write(piece)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  await read;
}

async function readHeader(lines: AsyncGenerator<string>): Promise<BackupHeader> {
  const first = await lines.next();
  try {
    return headerSchema.parse(JSON.parse(first.value ?? ''));
  } catch {
    throw new ImportRefusedError(
      'The file is not a backup of Tidewatch, or of another format than this copy reads.',
    );
  }
}
