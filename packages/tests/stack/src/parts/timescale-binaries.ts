import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresBinaries } from '@tidewatch/standalone/postgres/binaries';

export interface TimescaleInstallation {
  binaries: PostgresBinaries;
  /** The major version of PostgreSQL. */
  major: number;
  /** True if the library under the Community licence is installed; the server's settings decide whether it is used. */
  community: boolean;
  /** The versions, such as `PostgreSQL 15.18, TimescaleDB 2.19.3`. */
  detail: string;
}

const DEBIAN = '/usr/lib/postgresql';

/**
 * Finds a PostgreSQL with TimescaleDB on this machine, by `TIDEWATCH_TEST_PG_CONFIG`, `pg_config` on PATH, or Debian's
 * folders (newest first). Null if there is none.
 */
export function findTimescale(): TimescaleInstallation | null {
  const own = process.env.TIDEWATCH_TEST_PG_CONFIG;
  for (const program of own ? [own] : ['pg_config', ...debianPrograms()]) {
    const version = ask(program, '--version')?.replace(/ \(.*/, '');
    const folder = ask(program, '--bindir');
    const shared = ask(program, '--sharedir');
    const libraries = ask(program, '--pkglibdir');
    if (!version || !folder || !shared || !libraries) continue;
    const extension = extensionVersion(join(shared, 'extension'));
    const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
    if (extension === null || !existsSync(binaries.postgres)) continue;
    const major = Number.parseInt(version.replace(/\D+/, ''), 10);
    const community = existsSync(join(libraries, `timescaledb-tsl-${extension}.so`));
    return { binaries, major, community, detail: `${version}, TimescaleDB ${extension}` };
  }
  return null;
}

function debianPrograms(): string[] {
  if (!existsSync(DEBIAN)) return [];
  const newestFirst = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a));
  return newestFirst.map((version) => join(DEBIAN, version, 'bin/pg_config'));
}

function ask(program: string, option: string): string | null {
  const asked = spawnSync(program, [option], { encoding: 'utf8', timeout: 10_000 });
  return asked.status === 0 ? asked.stdout.trim() : null;
}

/** The version that `create extension` installs; older versions may be installed too. */
function extensionVersion(folder: string): string | null {
  const control = join(folder, 'timescaledb.control');
  if (!existsSync(control)) return null;
  return /^default_version\s*=\s*'([^']+)'/m.exec(readFileSync(control, 'utf8'))?.[1] ?? null;
}
