import { describe, expect, it } from 'vitest';
import { parseYaml } from './yaml-worker.ts';

function codeOf(text: string): string | null {
  const answer = parseYaml(text);
  return 'fault' in answer ? answer.fault.code : null;
}

describe('parseYaml', () => {
  it('parses every value that JSON has', () => {
    const text =
      '# why\nrules:\n  - name: "a"\n    threshold: 1.5e2\n    tags: {env: prod, n: [1, null, true]}\n';
    expect(parseYaml(text)).toEqual({
      value: { rules: [{ name: 'a', threshold: 150, tags: { env: 'prod', n: [1, null, true] } }] },
    });
  });

  it('parses words that are special in YAML 1.1 alone as texts', () => {
    expect(parseYaml('[yes, no, on, 1_000, 2026-11-22, 0o17]')).toEqual({
      value: ['yes', 'no', 'on', '1_000', '2026-11-22', 15],
    });
  });

  it('keeps a member called __proto__ as a member', () => {
    const { value } = parseYaml('{__proto__: {polluted: 1}}') as { value: object };
    expect(Object.keys(value)).toEqual(['__proto__']);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('follows aliases', () => {
    expect(parseYaml('[&a {x: 1}, *a]')).toEqual({ value: [{ x: 1 }, { x: 1 }] });
  });

  it.each([
    ['what is no YAML', 'a: b: c', 'invalid_yaml'],
    ['a member twice', 'a: 1\na: 2', 'invalid_yaml'],
    ['a list without its end', 'a: [1', 'invalid_yaml'],
    ['two documents', 'a: 1\n---\nb: 2', 'invalid_yaml'],
    ['a tag of a language', 'a: !!js/function "return 1"', 'invalid_yaml'],
    ['a tag of its own', 'a: !secret x', 'invalid_yaml'],
    ['bytes', 'a: !!binary aGk=', 'invalid_yaml'],
    ['an alias of nothing', 'a: *nothing', 'invalid_alias'],
    ['a list in itself', '&a [*a]', 'too_deep'],
    ['lists in lists', '['.repeat(40) + ']'.repeat(40), 'too_deep'],
    ['lists without end', '['.repeat(100_000), 'too_deep'],
    ['lists in lists in one line', '- '.repeat(100_000), 'too_deep'],
    ['maps in maps without end', '{a: '.repeat(100_000), 'too_deep'],
    ['few aliases of much', `a: &a [${'x, '.repeat(1_000)}]\nb: [${'*a, '.repeat(900)}]`, 'too_many'],
    ['many aliases', `- &a x\n${'- *a\n'.repeat(1_001)}`, 'invalid_alias'],
  ])('refuses %s', (_name, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('refuses nested aliases that expand beyond the limit', () => {
    const lines = ['a0: &a0 [x, x]'];
    for (let index = 1; index < 30; index++)
      lines.push(`a${index}: &a${index} [*a${index - 1}, *a${index - 1}]`);
    expect(codeOf(lines.join('\n'))).toBe('invalid_alias');
  });

  it('ignores brackets and dashes in texts and comments', () => {
    const text = `a: "${'['.repeat(50)}"\n# ${'[ '.repeat(50)}\nb: |\n  ${'- '.repeat(50)}\nc: 1`;
    expect(parseYaml(text)).toEqual({ value: { a: '['.repeat(50), b: `${'- '.repeat(50)}\n`, c: 1 } });
  });

  it('parses many keys, and finds a duplicate one', () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `key-${index}: ${index}`);
    const { value } = parseYaml(lines.join('\n')) as { value: object };
    expect(Object.keys(value)).toHaveLength(50_000);
    expect(parseYaml([...lines, 'key-7: 1'].join('\n'))).toEqual({
      fault: {
        code: 'invalid_yaml',
        message: 'Must be YAML: Map keys must be unique at line 50001, column 1.',
      },
    });
  });

  it('reports where a second document begins, without a word about the parser', () => {
    expect(parseYaml('a: 1\n---\nb: 2')).toEqual({
      fault: {
        code: 'invalid_yaml',
        message: 'Must be YAML: There must be only one document, and another begins at line 2, column 1.',
      },
    });
  });

  it('reports the position of a fault in YAML', () => {
    expect(parseYaml('a: 1\nb: [1')).toMatchObject({
      fault: { message: expect.stringMatching(/^Must be YAML: .+ at line 2, column \d+\.$/) },
    });
  });
});
