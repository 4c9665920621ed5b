import { expect, it } from 'vitest';
import { readYaml } from './yaml-thread.ts';

it('reads texts that come at once, each for itself', async () => {
  const texts = ['a: 1', '- b', 'c: [', '4'];
  expect(await Promise.all(texts.map((text) => readYaml(text)))).toEqual([
    { value: { a: 1 } },
    { value: ['b'] },
    { fault: { code: 'invalid_yaml', message: expect.stringContaining('line 1') } },
    { value: 4 },
  ]);
});

it('gives a text up that takes too long, and reads the next', async () => {
  const endless = readYaml('[ '.repeat(400_000), 100);
  const next = readYaml('a: 1');
  expect(await endless).toMatchObject({ fault: { code: 'too_complex' } });
  expect(await next).toEqual({ value: { a: 1 } });
});
