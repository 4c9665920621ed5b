import { expect, it } from 'vitest';
import { check } from '../problems/validation.ts';
import { SILENCE_EXAMPLE, silenceInputSchema } from './silence.ts';

it.each<[string, unknown, string]>([
  ['a list', [null, null], '/matchers/tags'],
  ['null for a pattern', { region: null }, '/matchers/tags/region'],
  ['null in a list of patterns', { region: [null] }, '/matchers/tags/region'],
])('refuses tags that are %s, by their path', (_name, tags, path) => {
  const checked = check(silenceInputSchema, { ...SILENCE_EXAMPLE, matchers: { tags } }, 'body');
  expect('errors' in checked && checked.errors.map((fault) => fault.path)).toEqual([path]);
});
