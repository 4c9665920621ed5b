// Starts a script of this repository from nothing but Node 20 and npm: installs what the lock file asks for when
// it is missing, then runs the script with a Node that understands TypeScript. Plain JavaScript without
// dependencies, since it runs before there are any.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyPatches, patchState } from './apply-patches.mjs';
import { buildConsole, consoleFolder, isBuilt, removeOldFolders, wantsConsole } from './console-build.mjs';

const MINIMUM = [24, 12];
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** Programs in these folders need no tools of tests and checks. */
const RUN_WITHOUT_TOOLS = ['packages/apps/', 'packages/tests/stack/', 'packages/tools/src/build-console.mjs'];
/** Programs that serve the console. */
const WITH_CONSOLE = [
  'packages/apps/standalone/src/main.ts',
  'packages/tests/stack/src/main.ts',
  'packages/tests/harness/src/suite/product-of-tests.ts',
];
const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/**
 * Says why an install is needed; undefined when node_modules holds what the lock file asks for: to run the product, and
 * to build and test it too where `everything` is wanted.
 */
function missing(wanted, installed, everything) {
  if (!installed) {
    return 'nothing is installed yet';
  }
  for (const [path, entry] of Object.entries(wanted)) {
    const isLeftOut = !everything && (entry.dev || entry.devOptional);
    if (!path.startsWith('node_modules/') || ((entry.optional || isLeftOut) && !installed[path])) {
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

/** Installs what the lock file asks for where it is missing; a partial installation is completed in place. */
async function installMissing(script) {
  const wanted = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const installed = readJson(join(root, 'node_modules/.package-lock.json'))?.packages;
  // Applications run without the tools of tests and checks; what is there already stays.
  const hasTools = Object.keys(installed ?? {}).some((path) => wanted[path]?.dev && !wanted[path]?.link);
  const everything = hasTools || !RUN_WITHOUT_TOOLS.some((folder) => script.startsWith(folder));
  const patches = patchState(root);
  const unpatched = patches.isApplied ? undefined : 'libraries lack their patches';
  const reason = missing(wanted, installed, everything) ?? unpatched;
  if (!reason) {
    return;
  }
  // A library comes back as it was published, so that another patch than its last one fits.
  if (unpatched)
    for (const folder of patches.folders) rmSync(join(root, folder), { recursive: true, force: true });
  const what = everything ? 'what Tidewatch and its tests need' : 'what Tidewatch needs to run';
  const include = everything ? '--include=dev' : '--omit=dev';
  const options = [include, '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const paths = Object.entries(wanted)
    .filter(([path, { dev, link, optional }]) => path !== '' && !link && !optional && (everything || !dev))
    .map(([path]) => join(root, path, 'package.json'));
  console.error(`Installing ${what}, ${paths.length} packages (${reason}) …`);
  const progress = setInterval(() => {
    const done = paths.filter((path) => existsSync(path)).length;
    console.error(`  ${done} of ${paths.length} packages after ${seconds()} s`);
  }, 5_000);
  // "npm ci" begins by removing what is there, which a running copy may need. It also refuses a lock file that lacks packages
  // for other systems, which a registry that does not carry them leaves out; "npm install" takes the same versions.
  const cleanly = !installed && (await npm(['ci', ...options], 'ignore')) === 0;
  if (!cleanly && !installed) {
    console.error(
      '"npm ci" does not take package-lock.json as it is; "npm install" takes what it says instead.',
    );
  }
  const isDone = cleanly || (await npm(['install', '--no-save', ...options], 2)) === 0;
  clearInterval(progress);
  if (!isDone) {
    console.error(
      'The dependencies could not be installed: see above. A network or an npm cache is needed once.',
    );
    process.exit(1);
  }
  // npm may be configured to run no scripts.
  if (!patchState(root).isApplied && !applyPatches(root)) {
    console.error('The patches of libraries do not fit what is installed: see above. Run "npm ci".');
    process.exit(1);
  }
  console.error(`Installed in ${seconds()} s.`);
}

/** Runs npm here; answers its exit code. A signal ends npm first and then this process: the next start installs the rest. */
function npm(args, output) {
  const program = process.env.npm_execpath;
  const [command, first] = program?.endsWith('.js') ? [process.execPath, [program]] : ['npm', []];
  const child = spawn(command, [...first, ...args], { cwd: root, stdio: ['ignore', output, output] });
  return new Promise((resolve) => {
    let ending;
    const stop = (signal) => {
      ending ??= signal;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, stop);
    child.once('error', () => resolve(1));
    child.once('exit', (code) => {
      for (const signal of SIGNALS) process.off(signal, stop);
      if (ending) process.kill(process.pid, ending);
      else resolve(code);
    });
  });
}

function isRecent(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1]);
}

function findNode() {
  if (isRecent(process.version)) {
    return process.execPath;
  }
  const bundled = join(root, `node_modules/node-${process.platform}-${process.arch}/bin/node`);
  if (existsSync(bundled)) {
    return bundled;
  }
  console.error(
    `Node ${MINIMUM.join('.')} or later is needed; this is ${process.version}. Linux on x64 and arm64 gets one by ` +
      '"npm ci --include=optional"; install a newer Node elsewhere.',
  );
  process.exit(1);
}

/** The folder of the console for the program, whose build begins beside it where it is missing: nothing waits for it. */
function prepareConsole() {
  try {
    const folder = consoleFolder(root);
    if (isBuilt(folder)) removeOldFolders(folder, Date.now());
    else building = buildConsole(root, folder, findNode(), true).child;
    return folder;
  } catch (error) {
    console.error(`The console cannot be built: ${error.message}`);
  }
}

let building;
/** Where npm run build:agent puts the packages of the agent. */
const DOWNLOADS = join(root, 'packages/apps/agent/dist');
const given = process.argv.slice(2);
const at = given.findIndex((each) => !each.startsWith('-'));
const flags = given.slice(0, Math.max(at, 0));
const [script, ...args] = given.slice(flags.length);
if (at < 0) {
  console.error('usage: node packages/tools/src/launch.mjs [FLAGS OF NODE] SCRIPT [ARGUMENTS]');
  process.exit(2);
}
await installMissing(script);
// glibc keeps an arena of memory for every thread that ever asked, and gives none back: one is enough for all.
// Pieces of 128 KiB and more have pages of their own, which go back with them: glibc raises that bound as it goes.
const malloc = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '131072' };
// Modules that were compiled before, types stripped, are read and not compiled again: half of what a start costs, and more
// of what a thread does. Where the folder cannot be written, nothing is kept.
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/compiled') };
const env = { ...malloc, ...compiled, ...process.env, INIT_CWD: process.env.INIT_CWD ?? process.cwd() };
if (
  WITH_CONSOLE.includes(script) &&
  !args.some((each) => ['--help', '-h', '--version'].includes(each)) &&
  wantsConsole(env)
) {
  const folder = prepareConsole();
  if (folder !== undefined) env.TIDEWATCH_CONSOLE_DIR = folder;
}
if (WITH_CONSOLE.includes(script) && !env.TIDEWATCH_DOWNLOADS_DIR) env.TIDEWATCH_DOWNLOADS_DIR = DOWNLOADS;
const child = spawn(findNode(), [...flags, join(root, script), ...args], { stdio: 'inherit', env });
for (const signal of SIGNALS) {
  process.on(signal, () => child.kill(signal));
}
// A signal to npm alone ends npm and the shell between it and this process, which receives no signal.
if (process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 1_000).unref();
}
child.once('error', (error) => {
  console.error(`could not start: ${error.message}`);
  process.exit(1);
});
child.once('exit', (code, signal) => {
  building?.kill('SIGTERM');
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code ?? 1);
  }
});
