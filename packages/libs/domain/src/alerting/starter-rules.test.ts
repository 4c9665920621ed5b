import { readRuleSet } from '@tidewatch/contracts/rules/rule-set';
import { expect, it } from 'vitest';
import { STARTER_PREFIX, STARTER_RULES } from './starter-rules.ts';

it('the starter set is one that can be applied, told to nobody until channels are named', async () => {
  const read = await readRuleSet({ rules: STARTER_RULES });
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  expect(read.set.rules.map(({ external_id, channels }) => [external_id, channels])).toEqual([
    [`${STARTER_PREFIX}cpu-busy`, []],
    [`${STARTER_PREFIX}memory-nearly-full`, []],
    [`${STARTER_PREFIX}disk-nearly-full`, []],
    [`${STARTER_PREFIX}disk-filling-up`, []],
    [`${STARTER_PREFIX}host-offline`, []],
  ]);
});
