import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const COMMAND_WITHIN_MS = 180_000;

/** The folders of the packages that are published to npm. */
export const PUBLISHED = {
  client: join(ROOT, 'packages/libs/client'),
  testkit: join(ROOT, 'packages/tests/testkit'),
} as const;

/** Dependencies of the examples, linked from the repository so that no registry is needed. */
const LINKED = ['testcontainers', '@types/node'];

/** A project outside the repository that has installed the published packages. */
export interface Project {
  folder: string;
  /** The names of the tarballs that npm pack created. */
  tarballs: Readonly<Record<keyof typeof PUBLISHED, string>>;
  /** Writes files, given by name. */
  write(files: Readonly<Record<string, string>>): void;
  /** Runs a program in the project, with only these environment variables and PATH. */
  run(program: string, args: readonly string[], variables?: Readonly<Record<string, string>>): Finished;
  /** Removes it. */
  remove(): void;
}

export type Finished = Pick<SpawnSyncReturns<string>, 'status' | 'stdout' | 'stderr'>;

/** Builds and packs the published packages, and installs the tarballs in a separate folder. Synchronous. */
export function createProject(): Project {
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-published-'));
  const run: Project['run'] = (program, args, variables = {}) =>
    spawnSync(program, args, {
      cwd: folder,
      encoding: 'utf8',
      timeout: COMMAND_WITHIN_MS,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...variables },
    });
  const tarballs = { client: pack(PUBLISHED.client, folder), testkit: pack(PUBLISHED.testkit, folder) };
  const write: Project['write'] = (files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  };
  const linked = LINKED.map((name) => [name, `file:${join(ROOT, 'node_modules', name)}`]);
  const dependencies = {
    '@tidewatch/client': `file:${tarballs.client}`,
    '@tidewatch/testkit': `file:${tarballs.testkit}`,
    ...Object.fromEntries(linked),
  };
  write({ 'package.json': JSON.stringify({ name: 'outside', private: true, dependencies }) });
  const options = ['--offline', '--no-audit', '--no-fund', '--install-links=false'];
  const installed = run('npm', ['install', ...options]);
  if (installed.status !== 0) throw new Error(`npm install failed:\n${installed.stdout}${installed.stderr}`);
  return { folder, tarballs, write, run, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Packs as `npm publish` does, which builds first; returns the name of the tarball in `destination`. */
function pack(folder: string, destination: string): string {
  const before = new Set(readdirSync(destination));
  const done = spawnSync('npm', ['pack', '--pack-destination', destination], {
    cwd: folder,
    encoding: 'utf8',
    timeout: COMMAND_WITHIN_MS,
  });
  const [tarball] = readdirSync(destination).filter((name) => !before.has(name));
  if (done.status !== 0 || tarball === undefined)
    throw new Error(`npm pack of ${folder} failed:\n${done.stdout}${done.stderr}`);
  return tarball;
}
