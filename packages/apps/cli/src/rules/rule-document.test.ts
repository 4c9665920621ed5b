import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chooseRule, withOptions } from './rule-document.ts';

const DOCUMENT =
  '# by hand\nrules:\n- external_id: a\n  name: One\n- external_id: b\n  name: Two\nprune: false\n';

describe('withOptions', () => {
  it('leaves a document alone that nothing is added to', () => {
    expect(withOptions('not: [even yaml', {})).toBe('not: [even yaml');
  });

  it('sets what the command line says, over what the document says', () => {
    const text = withOptions(DOCUMENT, { prune: true, dryRun: true });
    expect(text).toContain('# by hand');
    expect(text).toContain('prune: true\ndry_run: true\n');
    expect(parse(withOptions('{"rules":[]}', { prune: true }))).toEqual({ rules: [], prune: true });
  });

  it.each(['- a', 'text', ''])('refuses %j', (text) => {
    expect(() => withOptions(text, { prune: true })).toThrow(/rules/);
  });
});

describe('chooseRule', () => {
  it('finds a rule by external id before name', () => {
    expect(chooseRule(DOCUMENT, 'b')).toEqual({ external_id: 'b', name: 'Two' });
    expect(chooseRule(DOCUMENT, 'One')).toEqual({ external_id: 'a', name: 'One' });
    expect(() => chooseRule(DOCUMENT, 'Three')).toThrow(/no rule is called Three/);
  });

  it('takes the only one, be it alone in the document', () => {
    expect(chooseRule('{"rules":[{"name":"One"}]}', undefined)).toEqual({ name: 'One' });
    expect(chooseRule('name: One\nmetric: cpu_percent', undefined)).toMatchObject({ metric: 'cpu_percent' });
    expect(() => chooseRule(DOCUMENT, undefined)).toThrow(/--rule/);
  });

  it('says where the document is broken', () => {
    expect(() => chooseRule('rules: [\n\n', undefined)).toThrow(
      /^the document is not YAML: [^\n]*line \d+, column \d+$/,
    );
  });
});
