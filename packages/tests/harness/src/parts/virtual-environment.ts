import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder } from '@tidewatch/stack/parts/cache';
import type { Part } from './part.ts';

/** A file of a virtual environment that is there once everything is installed. */
const COMPLETE = 'complete';
const INSTALL_WITHIN_MS = 180_000;

/** The location of a program of a virtual environment of Python. */
export interface PythonProgram {
  program: string;
}

/**
 * Finds a program of Python's packages, or `python` with them: in a cached virtual environment that is made at the first use. `requirements` is the
 * path of a file that pins every version; `main` is the package whose version the detail names. Synchronous.
 */
export function findPythonProgram(program: string, main: string, requirements: string): Part<PythonProgram> {
  const pinned = readFileSync(requirements, 'utf8');
  const version = new RegExp(`^${main}==(\\S+)$`, 'm').exec(pinned)?.[1] ?? '';
  const home = join(cacheFolder(main), `${version}-${digestOf(pinned)}`);
  const path = join(home, 'bin', program);
  const obstacle = existsSync(join(home, COMPLETE)) ? null : install(home, requirements);
  if (obstacle !== null) return { state: 'lacked', detail: obstacle };
  return { state: 'started', address: { program: path }, detail: `${main} ${version} from PyPI` };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/**
 * Installs the packages; returns why that is impossible, or null. A failed virtual environment is removed, because it cannot be
 * moved.
 */
function install(home: string, requirements: string): string | null {
  const steps = [
    ['python3', '-m', 'venv', home],
    [join(home, 'bin/pip'), 'install', '--quiet', '--disable-pip-version-check', '-r', requirements],
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
  writeFileSync(join(home, COMPLETE), '');
  return null;
}
