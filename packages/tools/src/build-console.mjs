// Builds the console of this checkout, unless its build is there already, and prints the folder: npm run console:build
import { fileURLToPath } from 'node:url';
import { buildConsole, consoleFolder, isBuilt } from './console-build.mjs';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');
const folder = consoleFolder(root);
if (!isBuilt(folder)) {
  const { ok, output } = await buildConsole(root, folder, process.execPath).done;
  process.stderr.write(output);
  process.exitCode = ok ? 0 : 1;
}
if (isBuilt(folder)) console.log(folder);
