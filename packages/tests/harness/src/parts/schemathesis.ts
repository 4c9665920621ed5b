import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '@tidewatch/stack/parts/cache';
import type { Part } from './part.ts';

const REQUIREMENTS = fileURLToPath(new URL('../../../e2e/schemathesis/requirements.txt', import.meta.url));
const INSTALL_WITHIN_MS = 180_000;

/** The location of schemathesis, a program that tests an API against its document. */
export interface SchemathesisAddress {
  program: string;
}

/**
 * Finds schemathesis: the program in TIDEWATCH_TEST_SCHEMATHESIS, otherwise one that is installed into a cached virtual
 * environment at the first use, with all versions pinned. Synchronous.
 */
export function findSchemathesis(): Part<SchemathesisAddress> {
  const given = process.env['TIDEWATCH_TEST_SCHEMATHESIS'];
  if (given)
    return { state: 'given', address: { program: given }, detail: 'from TIDEWATCH_TEST_SCHEMATHESIS' };
  const pinned = readFileSync(REQUIREMENTS, 'utf8');
  const version = /^schemathesis==(\S+)$/m.exec(pinned)?.[1] ?? '';
  const home = join(cacheFolder('schemathesis'), `${version}-${digestOf(pinned)}`);
  const program = join(home, 'bin/schemathesis');
  const obstacle = existsSync(program) ? null : install(home);
  if (obstacle !== null) return { state: 'lacked', detail: obstacle };
  return { state: 'started', address: { program }, detail: `schemathesis ${version} from PyPI` };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * Installs schemathesis; returns why that is impossible, or null. A failed virtual environment is removed, because it
 * cannot be moved.
 */
function install(home: string): string | null {
  const steps = [
    ['python3', '-m', 'venv', home],
    [join(home, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', REQUIREMENTS],
  ] as const;
  for (const [program, ...args] of steps) {
    const done = spawnSync(program, args, { encoding: 'utf8', timeout: INSTALL_WITHIN_MS });
    if (done.status === 0) continue;
    rmSync(home, { recursive: true, force: true });
    const [reason = 'it ended early'] = `${done.error?.message ?? ''}\n${done.stderr ?? ''}`
      .trim()
      .split('\n');
    return `${[program, ...args.slice(0, 2)].join(' ')}: ${reason}`;
  }
  return null;
}
