import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresBinaries } from '@tidewatch/standalone/postgres/binaries';

export interface TimescaleInstallation {
  binaries: PostgresBinaries;
  /** `PostgreSQL 15.18, TimescaleDB 2.19.3`; the license is what the server says. */
  detail: string;
}

/**
 * A PostgreSQL of this machine that has TimescaleDB: the one of `TIDEWATCH_TEST_PG_CONFIG`, else of `pg_config` on PATH,
 * else of Debian's folders, newest first. Null where none has it.
 */
export function findTimescale(): TimescaleInstallation | null {
  const own = process.env.TIDEWATCH_TEST_PG_CONFIG;
  for (const program of own ? [own] : ['pg_config', ...debianPrograms()]) {
    const version = ask(program, '--version');
    const folder = ask(program, '--bindir');
    const shared = ask(program, '--sharedir');
    if (version === null || folder === null || shared === null) continue;
    const extension = extensionVersion(join(shared, 'extension'));
    const binaries = { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') };
    if (extension === null || !existsSync(binaries.postgres)) continue;
    return { binaries, detail: `${version.replace(/ \(.*/, '')}, TimescaleDB ${extension}` };
  }
  return null;
}

function debianPrograms(): string[] {
  const versions = '/usr/lib/postgresql';
  if (!existsSync(versions)) return [];
  const newestFirst = readdirSync(versions).sort((a, b) => Number(b) - Number(a));
  return newestFirst.map((version) => join(versions, version, 'bin/pg_config'));
}

function ask(program: string, option: string): string | null {
  const asked = spawnSync(program, [option], { encoding: 'utf8', timeout: 10_000 });
  return asked.status === 0 ? asked.stdout.trim() : null;
}

function extensionVersion(folder: string): string | null {
  try {
    const scripts = readdirSync(folder).map((name) => /^timescaledb--([\d.]+)\.sql$/.exec(name)?.[1]);
    return scripts.find((version) => version !== undefined) ?? null;
  } catch {
    return null;
  }
}
