import { expect, it } from 'vitest';
import { readYaml } from './yaml-thread.ts';

const stays = new AbortController().signal;
/** A megabyte of errors, which takes seconds. */
const SLOW = 'a: }\n'.repeat(200_000);

it('reads texts that come at once, each for itself', async () => {
  const texts = ['a: 1', '- b', 'c: [', '4'];
  expect(await Promise.all(texts.map((text) => readYaml(text, stays)))).toEqual([
    { value: { a: 1 } },
    { value: ['b'] },
    { fault: { code: 'invalid_yaml', message: expect.stringContaining('line 1') } },
    { value: 4 },
  ]);
});

it('gives a text up that takes too long, and reads the next', async () => {
  const endless = readYaml(SLOW, stays, 100);
  const next = readYaml('a: 1', stays);
  expect(await endless).toMatchObject({ fault: { code: 'too_complex' } });
  expect(await next).toEqual({ value: { a: 1 } });
});

it('stops reading for a client that is gone', async () => {
  const leaving = new AbortController();
  const reason = new Error('the client is gone');
  const reading = readYaml(SLOW, leaving.signal);
  leaving.abort(reason);
  await expect(reading).rejects.toBe(reason);
  await expect(async () => readYaml('a: 1', leaving.signal)).rejects.toBe(reason);
  expect(await readYaml('a: 1', stays)).toEqual({ value: { a: 1 } });
});
