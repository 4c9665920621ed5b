import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Errors by which the kernel says that it has no such file, or no value for it. */
const ABSENT = new Set([
  'ENOENT',
  'ENOTDIR',
  'ENODEV',
  'ENXIO',
  'EINVAL',
  'EIO',
  'ENODATA',
  'EOPNOTSUPP',
  'ENOTSUP',
  'ESRCH',
  'EAGAIN',
]);

// Reads synchronously, because the kernel creates the files of /proc and /sys in memory: that takes microseconds, and less
// than an asynchronous read.

/** The text of a file; empty where the kernel has no such file or no value for it. Throws if it may not be read. */
export function readText(...segments: string[]): string {
  try {
    return readFileSync(join(...segments), 'utf8');
  } catch (error) {
    if (ABSENT.has((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** The text of a file; empty if it is missing or may not be read. */
export function tryText(...segments: string[]): string {
  try {
    return readFileSync(join(...segments), 'utf8');
  } catch {
    return '';
  }
}

/** The number in a file; undefined without one. */
export function tryNumber(...segments: string[]): number | undefined {
  const text = tryText(...segments).trim();
  const number = text === '' ? Number.NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The names in a folder; none if it is missing or may not be read. */
export function tryNames(...segments: string[]): string[] {
  try {
    return readdirSync(join(...segments));
  } catch {
    return [];
  }
}

/** The last name of the target of a symbolic link; null without such a link. */
export function tryLink(...segments: string[]): string | null {
  try {
    return basename(readlinkSync(join(...segments)));
  } catch {
    return null;
  }
}
