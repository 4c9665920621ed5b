import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { consoleFolder, isBuilt } from './console-build.mjs';

/** The limits of a build after gzip, in bytes; a kilobyte is 1,000 of them. */
export const MAX_FIRST_PAGE = 150_000;
export const MAX_ROUTE = 60_000;
export const MAX_STYLES = 20_000;

interface Chunk {
  file: string;
  imports?: string[];
  dynamicImports?: string[];
  css?: string[];
  isEntry?: boolean;
}

/** Vite's manifest: chunks by the path of their source. */
export type Manifest = Readonly<Record<string, Chunk>>;

/** A sentence for each part of the build that is larger than its limit. `sizeOf` has the size of a file after gzip, bytes. */
export function sizeFaults(manifest: Manifest, sizeOf: (file: string) => number): string[] {
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
  if (entry === undefined) return ['the manifest of the build has no entry'];
  const first = chunksOf(manifest, entry);
  const faults: string[] = [];
  const check = (what: string, files: Iterable<string>, max: number) => {
    const size = [...files].reduce((sum, file) => sum + sizeOf(file), 0);
    if (size > max) faults.push(`${what}: ${kb(size)} after gzip, at most ${kb(max)} are allowed`);
  };
  check('scripts of the first page', filesOf(manifest, first), MAX_FIRST_PAGE);
  for (const route of Object.keys(manifest).filter((name) => /^src\/routes\/.*-page\.tsx$/.test(name))) {
    const more = [...chunksOf(manifest, route)].filter((name) => !first.has(name));
    check(`further scripts of ${route}`, filesOf(manifest, more), MAX_ROUTE);
  }
  check('styles', new Set(Object.values(manifest).flatMap(({ css = [] }) => css)), MAX_STYLES);
  return faults;
}

/** A chunk and all that it imports at once. What it loads later does not count. */
function chunksOf(manifest: Manifest, name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found;
  found.add(name);
  for (const each of manifest[name]?.imports ?? []) chunksOf(manifest, each, found);
  return found;
}

function filesOf(manifest: Manifest, names: Iterable<string>): string[] {
  return [...names].flatMap((name) => manifest[name]?.file ?? []).filter((file) => file.endsWith('.js'));
}

const kb = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;

/**
 * Compares the build of these sources with its limits; `skipped` says why it is not compared. Continuous integration has
 * to have a build.
 */
export async function faultsOfSizes(
  root: string,
  isRequired: boolean,
): Promise<{ faults: string[]; skipped?: string }> {
  const folder = consoleFolder(root.replace(/\/$/, ''));
  if (!isBuilt(folder)) {
    const reason = 'these sources have no build: npm run console:build';
    return isRequired ? { faults: [reason] } : { faults: [], skipped: reason };
  }
  const manifest: Manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'));
  const files = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const sizes = new Map<string, number>();
  await Promise.all([...files].map(async (file) => sizes.set(file, await gzipSize(join(folder, file)))));
  return { faults: sizeFaults(manifest, (file) => sizes.get(file) ?? 0) };
}

/** The build compresses only files that are worth it. */
async function gzipSize(file: string): Promise<number> {
  const compressed = `${file}.gz`;
  if (existsSync(compressed)) return (await readFile(compressed)).length;
  return (await promisify(gzip)(await readFile(file), { level: 9 })).length;
}
