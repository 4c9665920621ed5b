// Applies patches/ to the installed libraries: npm runs it after each installation, and launch.mjs where npm may run no
// scripts. Plain JavaScript, since it runs with the system's Node.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Says which patches the libraries were given last. */
const STAMP = 'node_modules/.tidewatch-patches';

/** The folders below `root` that patches are for, and whether these patches are the ones that were applied last. */
export function patchState(root) {
  const files = readdirSync(join(root, 'patches'))
    .filter((name) => name.endsWith('.patch'))
    .sort();
  const digest = createHash('sha256');
  for (const name of files) digest.update(name).update(readFileSync(join(root, 'patches', name)));
  const wanted = digest.digest('hex');
  const folders = files.map((name) => `node_modules/${name.replace(/\+[^+]*$/, '').replaceAll('+', '/')}`);
  const stamp = join(root, STAMP);
  return { folders, wanted, isApplied: existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted };
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
