import { expect, it } from 'vitest';
import { codeIn } from './page-memory.ts';

it('adds the sizes of all nodes of a snapshot that are compiled code', () => {
  const meta: { node_fields: string[]; node_types: [string[], string] } = {
    node_fields: ['type', 'name', 'self_size'],
    node_types: [['hidden', 'string', 'code'], 'string'],
  };
  expect(codeIn({ snapshot: { meta }, nodes: [2, 0, 100, 1, 2, 5_000, 2, 1, 28, 0, 2, 7] })).toBe(128);
});
