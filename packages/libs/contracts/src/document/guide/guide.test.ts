import { describe, expect, it } from 'vitest';
import { PROBLEM_CODES } from '../../problems/problem-codes.ts';
import { buildDocument } from '../openapi.ts';
import { ROUTES } from '../routes.ts';
import type { GuideDocument } from './document.ts';
import { writeGuide } from './guide.ts';
import { spellJson } from './spell-json.ts';

const guide = writeGuide(JSON.parse(JSON.stringify(buildDocument())) as GuideDocument);

it.each(ROUTES.map(({ method, path }) => `### ${method.toUpperCase()} ${path}\n`))('has %s', (heading) => {
  expect(guide.split(heading)).toHaveLength(2);
});

it('the guide explains every code', () => {
  for (const code of PROBLEM_CODES) expect(guide).toContain(`| \`${code}\` |`);
});

it('the guide has examples of responses that are valid JSON', () => {
  const examples = [...guide.matchAll(/```json\n(.*?)\n```/gs)].map(([, text = '']) => text);
  expect(examples.length).toBeGreaterThan(20);
  for (const text of examples) expect(() => JSON.parse(text), text).not.toThrow();
});

describe('spellJson', () => {
  it.each([
    [null],
    [[]],
    [{}],
    [{ a: [1, { b: 'x'.repeat(200) }], c: 'y' }],
    [['z'.repeat(90), 'z'.repeat(90)]],
  ])('spells what JSON does: %j', (value) => {
    expect(JSON.parse(spellJson(value))).toEqual(value);
  });

  it('writes a value on one line if it fits', () => {
    expect(spellJson({ a: 1, b: [2, 3], c: {} })).toBe('{ "a": 1, "b": [2, 3], "c": {} }');
  });
});
