import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';

/**
 * Copies the server's programs to a folder that all users can enter, for a checkout that only root can enter. The copy is
 * kept for later starts. The folder must have been created by root, because PostgreSQL runs its contents.
 */
export function relocateBinaries(binaries: PostgresBinaries): PostgresBinaries {
  const native = join(binaries.postgres, '..', '..');
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
  const target = join(tmpdir(), `tidewatch-postgresql-${version}`);
  if (!isOurs(target)) {
    const making = `${target}.${process.pid}`;
    rmSync(making, { recursive: true, force: true });
    mkdirSync(making, { mode: 0o755 });
    cpSync(native, making, { recursive: true, dereference: true });
    writeFileSync(join(making, 'complete'), '');
    rmSync(target, { recursive: true, force: true });
    renameSync(making, target);
  }
  return { initdb: join(target, 'bin', 'initdb'), postgres: join(target, 'bin', 'postgres') };
}

function isOurs(folder: string): boolean {
  if (!existsSync(join(folder, 'complete'))) {
    return false;
  }
  const stat = lstatSync(folder);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}
