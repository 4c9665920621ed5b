import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { type LogCall, logCallsOf } from './source-lines.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
/** The stack runs the product on one machine, and its lines and problems are read beside those of the product. */
const PRODUCT = ['packages/{libs,services,apps}/*/src/**/*.ts', 'packages/tests/stack/src/**/*.ts'];

/** The number of log calls with a text that is not in the source, by file; docs/operations.md describes them in a row. */
const VARIABLE_TEXTS: Record<string, number> = {
  'packages/libs/runtime/src/process/run.ts': 1,
  'packages/apps/standalone/src/migrate.ts': 1,
  'packages/apps/standalone/src/secrets.ts': 1,
};

async function callsOfProduct(): Promise<{ file: string; calls: LogCall[] }[]> {
  const found: { file: string; calls: LogCall[] }[] = [];
  for await (const file of glob(PRODUCT, { cwd: root }))
    if (!/\.(test|harness|contract)\.ts$/.test(file))
      found.push({ file, calls: logCallsOf(await readFile(`${root}/${file}`, 'utf8')) });
  return found.filter(({ calls }) => calls.length > 0);
}

/** The lines of the table: `| warn | \`message\` | meaning | remedy |`. */
async function documentedLines(): Promise<string[]> {
  const text = await readFile(`${root}/docs/operations.md`, 'utf8');
  return [...text.matchAll(/^\| (warn|error|fatal) \| `([^`]+)` \| \S[^|]* \| \S[^|]* \|$/gm)].map(
    ([, level, message]) => `${level}: ${message}`,
  );
}

test('docs/operations.md has every warning, error and fatal line of the product with its level, and no other', async () => {
  const lines = (await callsOfProduct()).flatMap(({ calls }) =>
    calls.flatMap(({ level, messages }) => (messages ?? []).map((message) => `${level}: ${message}`)),
  );
  expect(lines.length).toBeGreaterThan(60);
  expect((await documentedLines()).toSorted()).toEqual([...new Set(lines)].toSorted());
});

test('warnings and errors have constant texts, so that they can be searched for', async () => {
  const variable = (await callsOfProduct())
    .map(({ file, calls }) => [file, calls.filter(({ messages }) => messages === null).length] as const)
    .filter(([, count]) => count > 0);
  expect(Object.fromEntries(variable)).toEqual(VARIABLE_TEXTS);
});

test.each([
  ["logger.warn('one text');", 'warn', ['one text']],
  ["logger.error({ err: error, of: [a, 'b'] }, 'one text')", 'error', ['one text']],
  ["log.warn(\n  { name },\n  restart ? 'one text' : 'another',\n);", 'warn', ['one text', 'another']],
  ["logger.warn({ err }, isFault(error) ? 'one text' : 'another')", 'warn', ['one text', 'another']],
  ["log('error', 'one text', { err: error });", 'error', ['one text']],
  ["logger.fatal('it\\'s one');", 'fatal', ["it's one"]],
  ['logger.fatal(error.message);', 'fatal', null],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source texts contain templates.
  ['logger.warn({ a }, `a ${text}`);', 'warn', null],
])('reads the level and the texts of %s', (source, level, messages) => {
  expect(logCallsOf(source)).toEqual([{ level, messages }]);
});
