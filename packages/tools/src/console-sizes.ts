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

/** A part of the build with its size and limit after gzip, bytes. */
export interface PartSize {
  what: string;
  size: number;
  max: number;
}

/**
 * The sizes of the first page, of the scripts that each other page adds to it, and of the styles that each page has with those
 * of the first. `sizeOf` has the size of a file after gzip.
 */
export function partSizes(manifest: Manifest, sizeOf: (file: string) => number): PartSize[] {
  const first = chunksOf(manifest, entryOf(manifest));
  const part = (what: string, files: Iterable<string>, max: number): PartSize => ({
    what,
    size: [...files].reduce((sum, file) => sum + sizeOf(file), 0),
    max,
  });
  const routes = Object.keys(manifest).filter((name) => /^src\/routes\/.*-page\.tsx$/.test(name));
  return [
    part('scripts of the first page', filesOf(manifest, first), MAX_FIRST_PAGE),
    part('styles of the first page', stylesOf(manifest, first), MAX_STYLES),
    ...routes.flatMap((route) => {
      const all = chunksOf(manifest, route);
      const more = [...all].filter((name) => !first.has(name));
      return [
        part(`further scripts of ${route}`, filesOf(manifest, more), MAX_ROUTE),
        part(`styles of ${route}`, stylesOf(manifest, new Set([...first, ...all])), MAX_STYLES),
      ];
    }),
  ];
}

/** A sentence for each part of the build that is larger than its limit. */
export function sizeFaults(manifest: Manifest, sizeOf: (file: string) => number): string[] {
  return partSizes(manifest, sizeOf)
    .filter(({ size, max }) => size > max)
    .map(({ what, size, max }) => `${what}: ${kb(size)} after gzip, at most ${kb(max)} are allowed`);
}

/** A sentence for each kind of file of which the first page loads more than one. */
export function fileFaults(manifest: Manifest): string[] {
  const first = chunksOf(manifest, entryOf(manifest));
  const kinds = { scripts: filesOf(manifest, first), styles: [...stylesOf(manifest, first)] };
  return Object.entries(kinds)
    .filter(([, files]) => files.length > 1)
    .map(([kind, files]) => `${kind} of the first page: one file is allowed, not ${files.join(', ')}`);
}

function entryOf(manifest: Manifest): string {
  const entry = Object.keys(manifest).find((name) => manifest[name]?.isEntry);
  if (entry === undefined) throw new Error('the manifest of the build has no entry');
  return entry;
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

function stylesOf(manifest: Manifest, names: Iterable<string>): Set<string> {
  return new Set([...names].flatMap((name) => manifest[name]?.css ?? []));
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
  const { manifest, sizeOf } = await readBuild(folder);
  return { faults: [...fileFaults(manifest), ...sizeFaults(manifest, sizeOf)] };
}

/** The sizes of a finished build in `folder`. */
export async function sizesOfBuild(folder: string): Promise<PartSize[]> {
  const { manifest, sizeOf } = await readBuild(folder);
  return partSizes(manifest, sizeOf);
}

async function readBuild(folder: string): Promise<{ manifest: Manifest; sizeOf: (file: string) => number }> {
  const manifest: Manifest = JSON.parse(await readFile(join(folder, '.vite/manifest.json'), 'utf8'));
  const files = new Set(Object.values(manifest).flatMap(({ file, css = [] }) => [file, ...css]));
  const sizes = new Map<string, number>();
  await Promise.all([...files].map(async (file) => sizes.set(file, await gzipSize(join(folder, file)))));
  return { manifest, sizeOf: (file) => sizes.get(file) ?? 0 };
}

/** The build compresses only files that are worth it. */
async function gzipSize(file: string): Promise<number> {
  const compressed = `${file}.gz`;
  if (existsSync(compressed)) return (await readFile(compressed)).length;
  return (await promisify(gzip)(await readFile(file), { level: 9 })).length;
}
