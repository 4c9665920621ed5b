import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { chooseRule, withOptions } from './rule-document.ts';

const DOCUMENT =
  '# by hand\nrules:\n- external_id: a\n  name: One\n- external_id: b\n  name: Two\nprune: false\n';

describe('withOptions', () => {
  it('returns a document unchanged without options', () => {
    expect(withOptions('not: [even yaml', {})).toBe('not: [even yaml');
  });

  it('sets the options of the command line over those of the document', () => {
    const text = withOptions(DOCUMENT, { prune: true, dryRun: true });
    expect(text).toContain('# by hand');
    expect(text).toContain('prune: true\ndry_run: true\n');
    expect(parse(withOptions('{"rules":[]}', { prune: true }))).toEqual({ rules: [], prune: true });
  });

  it.each(['- a', 'text', ''])('rejects a document that is not an object: %j', (text) => {
    expect(() => withOptions(text, { prune: true })).toThrow(/rules/);
  });
});

describe('chooseRule', () => {
  it('finds a rule by its external id before its name', () => {
    expect(chooseRule(DOCUMENT, 'b')).toEqual({ external_id: 'b', name: 'Two' });
    expect(chooseRule(DOCUMENT, 'One')).toEqual({ external_id: 'a', name: 'One' });
    expect(() => chooseRule(DOCUMENT, 'Three')).toThrow(/no rule has the external id or name Three/);
  });

  it('chooses the only rule of a document, also of a document that is a single rule', () => {
    expect(chooseRule('{"rules":[{"name":"One"}]}', undefined)).toEqual({ name: 'One' });
    expect(chooseRule('name: One\nmetric: cpu_percent', undefined)).toMatchObject({ metric: 'cpu_percent' });
    expect(() => chooseRule(DOCUMENT, undefined)).toThrow(/--rule/);
  });

  it('refuses a file with two documents', () => {
    const text = `${DOCUMENT}---\n${DOCUMENT}`;
    expect(() => chooseRule(text, 'a')).toThrow(/^the file has more than one YAML document$/);
  });

  it('reports line and column of a YAML error', () => {
    expect(() => chooseRule('rules: [\n\n', undefined)).toThrow(
      /^the document is not YAML: [^\n]*line \d+, column \d+$/,
    );
  });
});
