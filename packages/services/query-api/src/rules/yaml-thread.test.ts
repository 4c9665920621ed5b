import { expect, it } from 'vitest';
import { readYaml } from './yaml-thread.ts';

const stays = new AbortController().signal;
/** A megabyte of YAML errors, which takes seconds to parse. */
const SLOW = 'a: }\n'.repeat(200_000);

it('readYaml parses concurrent texts independently', async () => {
  const texts = ['a: 1', '- b', 'c: [', '4'];
  expect(await Promise.all(texts.map((text) => readYaml(text, stays)))).toEqual([
    { value: { a: 1 } },
    { value: ['b'] },
    { fault: { code: 'invalid_yaml', message: expect.stringContaining('line 1') } },
    { value: 4 },
  ]);
});

it('readYaml aborts a text that exceeds the timeout, and parses the next one', async () => {
  const endless = readYaml(SLOW, stays, 100);
  const next = readYaml('a: 1', stays);
  expect(await endless).toMatchObject({ fault: { code: 'too_complex' } });
  expect(await next).toEqual({ value: { a: 1 } });
});

it('readYaml stops parsing when the client disconnects', async () => {
  const leaving = new AbortController();
  const reason = new Error('the client is gone');
  const reading = readYaml(SLOW, leaving.signal);
  leaving.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await expect(async () => readYaml('a: 1', leaving.signal)).rejects.toBe(reason);
  expect(await readYaml('a: 1', stays)).toEqual({ value: { a: 1 } });
});
