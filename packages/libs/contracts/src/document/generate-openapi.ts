import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { buildDocument } from './openapi.ts';

// Writes openapi.json beside this package's manifest; with --check it fails where the file is not up to date.
const file = fileURLToPath(new URL('../../openapi.json', import.meta.url));
const text = `${JSON.stringify(buildDocument(), null, 2)}\n`;

if (!process.argv.includes('--check')) {
  writeFileSync(file, text);
  console.log(`Wrote ${file}`);
} else if (read(file) !== text) {
  console.error(`${file} is not what the schemas say: run npm run generate`);
  process.exitCode = 1;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
