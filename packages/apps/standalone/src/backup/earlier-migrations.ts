import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { PACKAGED_MIGRATIONS, readMigrations } from '@tidewatch/store/schema/migration-files';

/** Runs `work` with a folder of the first `version` migrations. Throws RangeError if there are fewer. */
export async function withMigrationsUpTo<R>(
  version: number,
  work: (folder: string) => Promise<R>,
): Promise<R> {
  const migrations = await readMigrations();
  if (version > migrations.length) {
    throw new RangeError(
      `The backup has the schema version ${version}, and this copy of Tidewatch knows versions up to ${migrations.length}.`,
    );
  }
  const folder = await mkdtemp(join(tmpdir(), 'tidewatch-migrations-'));
  try {
    for (const { name } of migrations.slice(0, version)) {
      await cp(join(PACKAGED_MIGRATIONS, basename(name)), join(folder, basename(name)), {
        recursive: true,
      });
    }
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
