import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { STORAGE_BACKEND_NAMES, type StorageBackendName } from '../backends/storage-backend.ts';
import { MigrationError } from './migration-error.ts';

export interface Migration {
  version: number;
  /** Name of the folder, such as `0001_baseline`. */
  name: string;
  /** The files for the storage backend, in the order of their names. */
  sql: string;
  /** SHA-256 of `sql`, hexadecimal. */
  checksum: string;
}

/** The folder of migrations in this package. */
export const PACKAGED_MIGRATIONS = fileURLToPath(new URL('../../migrations/', import.meta.url));

const FOLDER = /^\d{4}_\w+$/;
/** The name of a migration file: `name.sql` for every storage backend, `name.apache-community.sql` for the named ones. */
const FILE = /^\w+(?:\.([a-z-]+))?\.sql$/;

/** Reads the migrations of a folder in order of their numbers, which start at 1 without gaps. */
export async function readMigrations(
  directory: string = PACKAGED_MIGRATIONS,
  backend: StorageBackendName = 'plain',
): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => FOLDER.test(name)).sort();
  const migrations: Migration[] = [];
  for (const name of names) {
    const version = Number(name.slice(0, 4));
    if (version !== migrations.length + 1) {
      throw new MigrationError(
        'misnumbered',
        `Migration ${name} should have number ${migrations.length + 1}.`,
      );
    }
    const sql = await readSql(`${directory}/${name}`, backend);
    migrations.push({ version, name, sql, checksum: createHash('sha256').update(sql).digest('hex') });
  }
  return migrations;
}

async function readSql(folder: string, backend: StorageBackendName): Promise<string> {
  const texts: string[] = [];
  for (const name of (await readdir(folder)).sort()) {
    if (appliesTo(name, backend)) texts.push(await readFile(`${folder}/${name}`, 'utf8'));
  }
  return texts.join('\n');
}

function appliesTo(name: string, backend: StorageBackendName): boolean {
  const parts = FILE.exec(name);
  const backends = parts?.[1]?.split('-') ?? [...STORAGE_BACKEND_NAMES];
  if (parts === null || !backends.every((each) => STORAGE_BACKEND_NAMES.some((known) => known === each))) {
    throw new MigrationError(
      'misnumbered',
      `The file ${name} of a migration is neither NAME.sql nor NAME.BACKENDS.sql, where BACKENDS are some of ` +
        `${STORAGE_BACKEND_NAMES.join(', ')}, joined by "-".`,
    );
  }
  return backends.includes(backend);
}
