// Starts a script of this repository from nothing but Node 20 and npm: installs what the lock file asks for when
// it is missing, then runs the script with a Node that understands TypeScript. Plain JavaScript without
// dependencies, since it runs before there are any.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const MINIMUM = [24, 12];
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Says why an install is needed; undefined when node_modules holds what the lock file asks for. */
function missing() {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  if (!installed) {
    return 'nothing is installed yet';
  }
  for (const [path, entry] of Object.entries(wanted)) {
    if (!path.startsWith('node_modules/') || (entry.optional && !installed[path])) {
      continue;
    }
    if (entry.link !== installed[path]?.link || entry.version !== installed[path]?.version) {
      return `${path} is not what package-lock.json asks for`;
    }
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** What every way of installing is told: all that is needed to run and to test, and no talk besides. */
const OPTIONS = ['--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];

function install(reason) {
  console.error(`Installing dependencies (${reason}) …`);
  // "npm ci" refuses a lock file that lacks packages for other systems, which a registry that does not carry
  // them leaves out; "npm install" then takes the same versions for this system.
  if (npm(['ci', ...OPTIONS], 'ignore') === 0) {
    return;
  }
  console.error(
    '"npm ci" does not take package-lock.json as it is here; "npm install" takes what it says instead.',
  );
  if (npm(['install', '--no-save', ...OPTIONS], 2) !== 0) {
    console.error(
      'The dependencies could not be installed: see above. A network or an npm cache is needed once.',
    );
    process.exit(1);
  }
}

function npm(args, output) {
  const program = process.env.npm_execpath;
  const [command, first] = program?.endsWith('.js') ? [process.execPath, [program]] : ['npm', []];
  return spawnSync(command, [...first, ...args], { cwd: root, stdio: ['ignore', output, output] }).status;
}

function isRecent(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

function findNode() {
  if (isRecent(process.version)) {
    return process.execPath;
  }
  const bundled = join(root, 'node_modules/node/bin/node');
  if (existsSync(bundled)) {
    return bundled;
  }
  console.error(
    `Node ${MINIMUM.join('.')} or later is needed; this is ${process.version} and ${bundled} is missing. ` +
      'npm was probably told to ignore install scripts: run "npm rebuild node", or install a newer Node.',
  );
  process.exit(1);
}

const given = process.argv.slice(2);
const at = given.findIndex((each) => !each.startsWith('-'));
const flags = given.slice(0, Math.max(at, 0));
const [script, ...args] = given.slice(flags.length);
if (at < 0) {
  console.error('usage: node packages/tools/src/launch.mjs [FLAGS OF NODE] SCRIPT [ARGUMENTS]');
  process.exit(2);
}
const reason = missing();
if (reason) {
  install(reason);
}
// glibc keeps an arena of memory for every thread that ever asked, and gives none back: one is enough for all.
// Pieces of 128 KiB and more have pages of their own, which go back with them: glibc raises that bound as it goes.
const malloc = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' };
// Modules that were compiled before, types stripped, are read and not compiled again: half of what a start costs, and more
// of what a thread does. Where the folder cannot be written, nothing is kept.
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };
const env = { ...malloc, ...compiled, ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() };
const child = spawn(findNode(), [...flags, join(root, script), ...args], { stdio: 'inherit', env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill(signal));
}
// A signal to npm alone ends npm and the shell between it and this process, which is told nothing.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 200).unref();
}
child.once('error', (error) => {
  console.error(`could not start: ${error.message}`);
  process.exit(1);
});
child.once('exit', (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code ?? 1);
  }
});
