// Applies patches/ to the installed libraries: npm runs it after each installation, and launch.mjs where npm may run no
// scripts. Plain JavaScript, since it runs with the system's Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Says which patches the libraries were given last. */
const STAMP = 'node_modules/.tidewatch-patches';

/** The line of a patch by which a library says that it has this patch. */
const MARK = /^\+(\s*patched: .*)$/;

/**
 * The folders below `root` that patches are for, and whether these patches are the ones that were applied last. A library
 * that lacks the mark of its patch has come back since: npm does that to a library when an installation fails later.
 */
export function patchState(root) {
  const files = readdirSync(join(root, 'patches'))
    .filter((name) => name.endsWith('.patch'))
    .sort();
  const patches = files.map((name) => readFileSync(join(root, 'patches', name), 'utf8'));
  const digest = createHash('sha256');
  for (const [at, name] of files.entries()) digest.update(name).update(patches[at]);
  const wanted = digest.digest('hex');
  const folders = files.map((name) => `node_modules/${name.replace(/\+[^+]*$/, '').replaceAll('+', '/')}`);
  const stamp = join(root, STAMP);
  const isStamped = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  return { folders, wanted, isApplied: isStamped && patches.every((patch) => hasMarks(root, patch)) };
}

/** Whether every installed file that a patch gives a mark has it. */
function hasMarks(root, patch) {
  let path = '';
  for (const line of patch.split('\n')) {
    if (line.startsWith('+++ b/')) path = join(root, line.slice('+++ b/'.length));
    const mark = MARK.exec(line)?.[1];
    if (mark && existsSync(path) && !readFileSync(path, 'utf8').includes(mark)) return false;
  }
  return true;
}

/** A file may be the same as one of another installation, by a hard link: that one is left as it is. */
function ownFiles(folder) {
  const copy = `${folder}.copy`;
  rmSync(copy, { recursive: true, force: true });
  cpSync(folder, copy, { recursive: true });
  rmSync(folder, { recursive: true });
  renameSync(copy, folder);
}

/** Applies the patches; false where one does not fit, which patch-package says on standard error. */
export function applyPatches(root) {
  const { folders, wanted } = patchState(root);
  const installed = folders.map((folder) => join(root, folder)).filter((folder) => existsSync(folder));
  // An installation of some workspaces alone may have none of the libraries.
  if (installed.length === 0) return true;
  for (const folder of installed) ownFiles(folder);
  const program = join(root, 'node_modules/patch-package/index.js');
  const { status } = spawnSync(process.execPath, [program, '--error-on-fail'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) return false;
  writeFileSync(join(root, STAMP), wanted);
  return true;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = resolve(dirname(process.argv[1]), '../../..');
  if (!applyPatches(root)) process.exitCode = 1;
}
