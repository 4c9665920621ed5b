import { expect, it } from 'vitest';
import { importPlan } from './import-plan.ts';
import { readDocument, withOptions } from './rule-document.ts';

const YAML = `# Rules of the shop
rules:
  - external_id: cpu
    name: CPU is busy
  - external_id: new # to be tried out
    name: Disk is full
`;

it('reads the rules of a document in YAML or JSON', () => {
  const rules = [
    { externalId: 'cpu', name: 'CPU is busy' },
    { externalId: 'new', name: 'Disk is full' },
  ];
  expect(readDocument(YAML)).toEqual({ kind: 'document', rules });
  expect(readDocument('{"rules": [{"name": 1}]}')).toEqual({
    kind: 'document',
    rules: [{ externalId: null, name: '' }],
  });
});

it.each([
  ['rules: [', /^This is no YAML/],
  ['- a', /"rules"/],
  ['rules: 3', /"rules"/],
  ['', /"rules"/],
])('says what is wrong with the document %j', (text, message) => {
  expect(readDocument(text)).toMatchObject({ kind: 'fault', message: expect.stringMatching(message) });
});

it('sets the options of the import and keeps the rest of the document', () => {
  const text = withOptions(`prune: true\n${YAML}`, { prune: false, dryRun: true });
  expect(text).toContain('prune: false');
  expect(text).toContain('dry_run: true');
  expect(text).toContain('# to be tried out');
});

it('names what an import creates, updates and deletes', () => {
  const known = [
    { id: 'rul_1', name: 'CPU', external_id: 'cpu' },
    { id: 'rul_2', name: 'Old', external_id: 'old' },
  ];
  const changes = { created: ['rul_9'], updated: ['rul_1'], unchanged: [], deleted: ['rul_2'] };
  const document = readDocument(YAML);
  expect(document.kind === 'document' && importPlan(changes, document.rules, known)).toEqual({
    created: ['Disk is full'],
    updated: ['CPU'],
    deleted: ['Old'],
    unchanged: 0,
  });
});
