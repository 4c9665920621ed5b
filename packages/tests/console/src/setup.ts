import { fileURLToPath } from 'node:url';
import { buildConsole, consoleFolder, isBuilt } from '@tidewatch/tools/console-build';
import { lacksChromium } from './site/chromium.ts';

/** Vitest's global setup: the build of the console that products of this run serve from their start on. */
export default async function setup(): Promise<void> {
  if (lacksChromium !== undefined) return;
  const root = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '');
  const folder = consoleFolder(root);
  if (isBuilt(folder)) return;
  const { ok, output } = await buildConsole(root, folder, process.execPath).done;
  if (!ok) throw new Error(`The console could not be built:\n${output}`);
}
