// The build of the console in a checkout: a folder of the cache, named after what it is built from. Plain JavaScript without
// dependencies, since the launcher uses it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

const CACHE = 'node_modules/.cache/tidewatch/console';
const BUILD = 'packages/apps/console/build/main.ts';
/** The guides that the console shows. */
const GUIDES = 'docs/agents';
/** What the console is built from. */
const SOURCES = [
  'packages/apps/console',
  'packages/libs/api-client/src',
  'packages/libs/contracts/src',
  'packages/libs/domain/src',
  GUIDES,
  'package-lock.json',
];
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist)(?:\/|$)|\.test\.tsx?$|(?:^|\/)packages\/.*\.md$/;
/** Folders that are kept: that of this version, and that of the version before. */
export const MAX_FOLDERS = 2;
/** Of the output of a failed build, the end is kept. */
const MAX_OUTPUT = 16_384;
const ABANDONED_MS = 3_600_000;

/** The folder in which the build of these sources is, or will be. */
export function consoleFolder(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const file of filesOf(join(root, source))) {
      const name = file.slice(root.length);
      if (LEFT_OUT.test(name)) continue;
      const body = readFileSync(file);
      hash.update(`${name} ${body.length}\n`).update(body);
    }
  }
  return join(root, CACHE, hash.digest('hex').slice(0, 16));
}

function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter(
      (entry) =>
        entry.isFile() && !LEFT_OUT.test(join(entry.parentPath ?? entry.path, entry.name).slice(path.length)),
    )
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Whether the folder has a finished build, which appears by one rename. */
export function isBuilt(folder) {
  return existsSync(join(folder, 'index.html'));
}

/**
 * Builds the console into `folder` with the program `node`, in the background at the lowest priority; returns the process and its
 * end. A build that fails leaves its output in `<folder>.failed`, for the query API, which shows it.
 */
export function buildConsole(root, folder, node, inBackground = false) {
  mkdirSync(dirname(folder), { recursive: true });
  rmSync(`${folder}.failed`, { force: true });
  const options = {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production' },
  };
  const child =
    inBackground && process.platform !== 'win32'
      ? spawn('nice', ['-n', '19', node, BUILD, folder], options)
      : spawn(node, [BUILD, folder], options);
  let output = '';
  const keep = (text) => {
    output = `${output}${text}`.slice(-MAX_OUTPUT);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const done = new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ ok: false, output: `cannot start the build: ${error.message}` }),
    );
    child.once('close', (code, signal) => resolve({ ok: code === 0, output, isEnded: signal !== null }));
  }).then(({ ok, output, isEnded }) => {
    // A start that ends takes its build with it, which the next start begins again.
    if (!ok && !isEnded) recordFailure(folder, output || 'The build ended without output.');
    if (ok) removeOldFolders(folder, Date.now());
    return { ok, output };
  });
  return { child, done };
}

/** The product runs without the console too, so a full disk must not end the process that builds. */
function recordFailure(folder, output) {
  try {
    writeFileSync(`${folder}.failed`, output);
  } catch (error) {
    console.error(
      `The build of the console failed, and its output cannot be stored: ${error.message}\n${output}`,
    );
  }
}

/**
 * Removes all builds except the newest ones and `folder`, and the remains of builds that were killed. Reports where the cache
 * cannot be changed, for example by another user, since the build is served all the same.
 */
export function removeOldFolders(folder, now) {
  try {
    utimesSync(folder, now / 1_000, now / 1_000);
    for (const path of oldFolders(folder, now)) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    console.error(`Old builds of the console cannot be removed: ${error.message}`);
  }
}

function oldFolders(folder, now) {
  const cache = dirname(folder);
  const entries = readdirSync(cache).map((name) => ({
    name,
    changed: statSync(join(cache, name), { throwIfNoEntry: false })?.mtimeMs ?? now,
  }));
  const isFinished = ({ name }) => /^[0-9a-f]{16}$/.test(name);
  const old = entries
    .filter((entry) => isFinished(entry) && entry.name !== basename(folder))
    .sort((a, b) => b.changed - a.changed)
    .slice(MAX_FOLDERS - 1);
  const abandoned = entries.filter((entry) => !isFinished(entry) && now - entry.changed > ABANDONED_MS);
  return [...old, ...abandoned].map(({ name }) => join(cache, name));
}

const OFF = ['off', 'false', 'no', '0'];

/** Whether a start with this environment needs a build of the console for the folder that it will be given. */
export function wantsConsole(env) {
  return !env.TIDEWATCH_CONSOLE_DIR && !OFF.includes((env.TIDEWATCH_CONSOLE ?? '').toLowerCase());
}
