import { expect, it } from 'vitest';
import { z } from 'zod';
import { fieldsQuery } from './fields.ts';

const query = fieldsQuery({
  id: z.string(),
  state: z.object({ name: z.string(), since: z.string() }).nullable(),
  lists: z.array(z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])),
  tags: z.record(z.string(), z.string()),
});
const { override } = query.meta() as unknown as { override: { pattern: string } };

it.each<[string, boolean]>([
  ['id', true],
  ['id,state,id', true],
  ['state.name,state.since', true],
  ['lists.a,lists.b', true],
  ['tags.anything at all,id', true],
  ['tags.a.b', true],
  ['', false],
  ['id,', false],
  ['ids', false],
  ['id.name', false],
  ['state.', false],
  ['state.other', false],
  ['lists.c', false],
  ['tags.', false],
  ['ID', false],
])('"%s" is taken by the product and by the document alike: %s', (text, taken) => {
  expect([query.safeParse(text).success, new RegExp(override.pattern).test(text)]).toEqual([taken, taken]);
});
