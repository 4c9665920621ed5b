import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { postgres } from './driver.ts';

test('the patched query class of the driver allocates no closure for its promise', async () => {
  const sql = postgres({ max: 1 });
  const query = sql`select 1`;
  expect(Object.hasOwn(query, 'resolve')).toBe(false);
  expect(Object.hasOwn(Object.getPrototypeOf(query), 'resolve')).toBe(true);
  await sql.end();
});

// Run in a child process, because the test runner reads error stacks itself.
const FIRST_QUERY = `
  const { postgres } = await import(process.argv[1]);
  const sql = postgres({ max: 1 });
  const query = new WeakRef((() => sql\`select 1\`)());
  for (let turn = 0; turn < 100 && query.deref(); turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    gc();
  }
  console.log(query.deref() ? 'held' : 'collected');
  await sql.end();
`;

test('the first query of a prepared statement can be garbage collected', async () => {
  const driver = new URL('driver.ts', import.meta.url).href;
  const args = ['--expose-gc', '--input-type=module', '--eval', FIRST_QUERY, driver];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout.trim()).toBe('collected');
});
