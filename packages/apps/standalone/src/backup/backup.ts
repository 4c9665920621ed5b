import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { exportAll } from './export.ts';
import { openData } from './open-data.ts';

/** Writes all data of `directory` to `file`, which appears only once it is complete. */
export async function backUp(
  directory: string,
  file: string,
  clock: () => number,
  logger: Logger,
): Promise<void> {
  const lifecycle = createLifecycle(logger);
  const part = `${file}.part`;
  try {
    const admin = await openData(lifecycle, directory, clock(), logger);
    // Removes the file first, because that of an earlier backup may have another mode.
    await rm(part, { force: true });
    const gzip = createGzip({ level: 6 });
    const output = createWriteStream(part, { mode: 0o600, flags: 'wx', flush: true });
    const written = finished(gzip.pipe(output));
    written.catch(() => {}); // awaited below; a failure ends the export by the promise of its write
    await exportAll(admin.sql, clock(), (piece) => {
      const flowing = new Promise<void>((resolve, reject) => {
        gzip.write(piece, (error) => (error ? reject(error) : resolve()));
      });
      return Promise.race([flowing, written]);
    });
    gzip.end();
    await written;
    await rename(part, file);
  } finally {
    await rm(part, { force: true });
    await lifecycle.close();
  }
}
