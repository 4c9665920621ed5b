import type { RuleDefinition } from '@tidewatch/contracts/rules/rule';
import { readRuleInput } from '@tidewatch/contracts/rules/rule-input';
import { definitionOf } from '@tidewatch/contracts/rules/testing/rule-definition';
import { ruleDefinitions } from '@tidewatch/contracts/rules/testing/rule-definitions';
import { newId } from '@tidewatch/contracts/values/id';
import type { RuleRow } from '@tidewatch/store/rules/row';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ExportFormat, exportDocument } from './rule-export.ts';
import { parseYaml } from './yaml-worker.ts';

const rowOf = (definition: RuleDefinition): RuleRow => ({
  id: newId('rul'),
  definition,
  version: 1,
  created_at: 0,
  updated_at: 0,
  last_evaluated_at: null,
  pending_count: 0,
  firing_count: 0,
});

async function textOf(definitions: readonly RuleDefinition[][], format: ExportFormat): Promise<string> {
  async function* portions() {
    for (const some of definitions) yield some.map(rowOf);
  }
  let text = '';
  for await (const piece of exportDocument(portions(), format)) text += piece;
  return text;
}

function read(text: string, format: ExportFormat): unknown {
  if (format === 'json') return JSON.parse(text);
  const answer = parseYaml(text);
  if ('fault' in answer) throw new Error(`${answer.fault.message}\n${text}`);
  return answer.value;
}

describe.each<ExportFormat>(['yaml', 'json'])('a document in %s', (format) => {
  it('is parsed to the same rules', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(ruleDefinitions, { maxLength: 3 }), { maxLength: 3 }),
        async (portions) => {
          const { rules } = read(await textOf(portions, format), format) as { rules: unknown[] };
          expect(rules.map((rule) => readRuleInput(rule))).toEqual(portions.flat().map((rule) => ({ rule })));
        },
      ),
    );
  });

  it('may have more rules than one portion', async () => {
    const many = Array.from({ length: 95 }, (_, index) => definitionOf({ external_id: `r${index}` }));
    const { rules } = read(await textOf([many.slice(0, 50), many.slice(50)], format), format) as {
      rules: { external_id: string }[];
    };
    expect(rules.map((rule) => rule.external_id)).toEqual(many.map((rule) => rule.external_id));
  });

  it('without rules is a valid document', async () => {
    expect(read(await textOf([[]], format), format)).toEqual({ rules: [] });
  });
});

it('YAML quotes texts that YAML 1.1 would read as another type, and comments on rules that are identified by id', async () => {
  const text = await textOf([[definitionOf({ name: 'yes', metric: '1_000' })]], 'yaml');
  expect(text).toMatch(/^rules:\n# This rule has no external id .+\n- external_id: rul_/);
  expect(text).toContain('name: "yes"');
  expect(text).toContain('metric: "1_000"');
});
