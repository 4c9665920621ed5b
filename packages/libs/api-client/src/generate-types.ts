import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

// Writes the types of every path and schema of openapi.json; with --check it fails where they are not up to date.
const source = fileURLToPath(new URL('../../contracts/openapi.json', import.meta.url));
const target = fileURLToPath(new URL('generated/api.ts', import.meta.url));

/** The members of the API document that this script changes. */
interface Document {
  paths: Record<string, Record<string, { responses?: Record<string, object> }>>;
}

const PROBLEM = {
  description: 'What went wrong.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

/**
 * Leaves out examples, which are for readers of the document, and the variants of responses with `fields`; and gives
 * problems of every status one type.
 */
function condense(text: string): OpenAPI3 {
  const kept = (name: string, value: unknown) => {
    if (name === 'example' || (name === 'examples' && Array.isArray(value))) return undefined;
    if (!Array.isArray(value)) return value;
    return name === 'anyOf' ? value.filter((each) => each?.['x-selection'] !== true) : value;
  };
  const document = JSON.parse(text, kept) as Document & OpenAPI3;
  for (const operations of Object.values(document.paths)) {
    for (const operation of Object.values(operations)) {
      if (operation.responses === undefined) continue;
      const kept = Object.entries(operation.responses).filter(([, response]) => !('$ref' in response));
      operation.responses = { ...Object.fromEntries(kept), default: PROBLEM };
    }
  }
  return document;
}

const ast = await openapiTS(condense(readFileSync(source, 'utf8')), { defaultNonNullable: false });
const text = `// Made from openapi.json by npm run generate.\n\n${astToString(ast)}`;

if (!process.argv.includes('--check')) {
  writeFileSync(target, text);
  console.log(`Wrote ${target}`);
} else if (read(target) !== text) {
  console.error(`${target} is not what openapi.json says: run npm run generate`);
  process.exitCode = 1;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
