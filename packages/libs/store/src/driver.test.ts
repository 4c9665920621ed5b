import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { CORRECTED_FILES, correctDriver, postgres } from './driver.ts';

test('the class of queries that is loaded settles without a closure of its own', async () => {
  const sql = postgres({ max: 1 });
  const query = sql`select 1`;
  expect(Object.hasOwn(query, 'resolve')).toBe(false);
  expect(Object.hasOwn(Object.getPrototypeOf(query), 'resolve')).toBe(true);
  await sql.end();
});

test.each(CORRECTED_FILES)(
  'the text of %s of the installed release is the one that is corrected',
  async (name) => {
    const file = new URL(name, import.meta.resolve('postgres'));
    const source = await readFile(fileURLToPath(file), 'utf8');
    expect(correctDriver(name, source)).not.toBe(source);
  },
);

test('another text stays as it is', () => {
  expect(correctDriver('query.js', 'export class Query {}')).toBe('export class Query {}');
});
