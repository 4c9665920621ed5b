/** Builds the console into a folder, which appears complete or not at all: main.ts FOLDER */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { build } from 'vite';
import { consoleConfig } from './console-config.ts';

const [given] = process.argv.slice(2);
if (given === undefined) {
  console.error('usage: main.ts FOLDER');
  process.exit(2);
}
const folder = resolve(process.env.INIT_CWD ?? '.', given);
const unfinished = `${folder}.${randomUUID()}.unfinished`;
await mkdir(dirname(folder), { recursive: true });
try {
  await build({ ...consoleConfig(unfinished), logLevel: 'warn' });
  // Another build of the same sources may have created the folder meanwhile.
  if (!existsSync(folder)) await rename(unfinished, folder);
} finally {
  await rm(unfinished, { recursive: true, force: true });
}
