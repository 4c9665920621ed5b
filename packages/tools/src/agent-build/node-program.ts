import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runProgram } from './run-program.ts';
import type { PlannedBuild } from './targets.ts';

/** The oldest Node of this major version that runs the section that this one writes. */
const MIN_MINOR = 18;
/** A text of every Node, in which it names itself to debuggers. */
const VERSION = /node\.js\/v(\d+)\.(\d+)\.(\d+)/;

export interface NodeProgram {
  path: string;
  licence: string;
}

/** Where to look for Node. */
export interface NodePlaces {
  /** The root of the checkout. */
  root: string;
  /** A folder for downloads. */
  cache: string;
  /** The folder against which a relative path of `--node` is resolved. */
  called: string;
}

/**
 * The Node of a target: the one of the folder that was named, or the one of the lock file, which is the installed package of this
 * machine or is downloaded from the npm registry once and compared with the hash of the lock file. Rejects if it is too old.
 */
export async function nodeProgram(build: PlannedBuild, places: NodePlaces): Promise<NodeProgram> {
  const folder = await folderOf(build, places);
  const program = { path: join(folder, build.program), licence: join(folder, 'LICENSE') };
  if (!existsSync(program.path))
    throw new Error(`${folder} has no Node for ${build.target}: no ${build.program}`);
  assertFits(readFileSync(program.path), program.path, process.versions.node);
  return program;
}

async function folderOf(
  { nodeFolder, nodePackage: name }: PlannedBuild,
  places: NodePlaces,
): Promise<string> {
  const { root, cache, called } = places;
  if (nodeFolder !== null) return resolve(called, nodeFolder);
  if (name === null) throw new Error('a target without an npm package needs the folder of its Node');
  const installed = join(root, 'node_modules', name);
  if (existsSync(join(installed, 'bin'))) return installed;
  const folder = join(cache, name);
  if (!existsSync(join(folder, 'package/bin'))) await download(root, name, folder);
  return join(folder, 'package');
}

/** Throws unless Node in `program` runs what Node `own` writes for it: one of the same major version that is not too old. */
export function assertFits(program: Buffer, path: string, own: string): void {
  const at = program.indexOf('node.js/v');
  const found = at < 0 ? null : VERSION.exec(program.toString('latin1', at, at + 40));
  if (found === null) throw new Error(`${path} does not contain the name of a version of Node`);
  const [, major, minor] = found.map(Number);
  const wanted = Number(own.split('.')[0]);
  if (major !== wanted || (minor ?? 0) < MIN_MINOR)
    throw new Error(
      `${path} is ${found[0].slice(8)}; take Node ${wanted}.${MIN_MINOR} or later, best v${own}`,
    );
}

async function download(root: string, name: string, folder: string): Promise<void> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (!version || !integrity) throw new Error(`package-lock.json has no hash of ${name}`);
  mkdirSync(folder, { recursive: true });
  const printed = await runProgram('npm', [
    'pack',
    `${name}@${version}`,
    '--json',
    '--pack-destination',
    folder,
  ]);
  const [{ filename }] = JSON.parse(printed);
  const archive = join(folder, filename);
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (hash !== integrity)
    throw new Error(`${name} ${version} has the hash ${hash}, but package-lock.json asks for ${integrity}`);
  await runProgram('tar', ['--extract', '--gzip', '--file', archive, '--directory', folder]);
}
