import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { GuideDocument } from './guide/document.ts';
import { writeGuide } from './guide/guide.ts';
import { buildDocument } from './openapi.ts';

// Writes openapi.json beside the manifest of this package, and docs/api.md; with --check, fails if one of them is not up to
// date.
const text = `${JSON.stringify(buildDocument(), null, 2)}\n`;
const own = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const files = [
  { path: own('../../openapi.json'), text },
  { path: own('../../../../../docs/api.md'), text: writeGuide(JSON.parse(text) as GuideDocument) },
];

for (const { path, text } of files) {
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
    console.log(`Wrote ${path}`);
  } else if (read(path) !== text) {
    console.error(`${path} is not what the schemas say: run npm run generate`);
    process.exitCode = 1;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
