import { describe, expect, it } from 'vitest';
import { newId } from '../values/id.ts';
import { MAX_RULES_OF_A_SET, readRuleSet } from './rule-set.ts';
import { definitionOf } from './testing/rule-definition.ts';

const RULE = { name: 'CPU is busy', metric: 'cpu_percent', condition: 'greater_than', threshold: 90 };
const named = (externalId: string, fields: object = {}) => ({ ...RULE, external_id: externalId, ...fields });

async function faults(input: unknown, knownChannels: ReadonlySet<string> = new Set()): Promise<string[]> {
  const read = await readRuleSet(input, { knownChannels });
  return 'errors' in read ? read.errors.map(({ path, code }) => `${path} ${code}`) : [];
}

describe('readRuleSet', () => {
  it('fills in the defaults of the set and of its rules', async () => {
    expect(await readRuleSet({ rules: [named('a')] })).toEqual({
      set: { rules: [definitionOf({ external_id: 'a' })], prune: false, dryRun: false },
    });
  });

  it('accepts an empty set, and its options', async () => {
    expect(await readRuleSet({ rules: [], prune: true, dry_run: true })).toEqual({
      set: { rules: [], prune: true, dryRun: true },
    });
  });

  it.each<[unknown, string[]]>([
    [null, [' invalid_type']],
    [[], [' invalid_type']],
    [{}, ['/rules required']],
    [{ rules: {} }, ['/rules invalid_type']],
    [{ rules: [], prune: 'yes', extra: 1 }, ['/prune invalid_type', '/extra unknown_field']],
    [{ rules: [RULE] }, ['/rules/0/external_id required']],
    [{ rules: [named('a'), { ...RULE, external_id: null }] }, ['/rules/1/external_id required']],
    [{ rules: ['a', null] }, ['/rules/0 invalid_type', '/rules/1 invalid_type']],
    [{ rules: [named('')] }, ['/rules/0/external_id too_short']],
    [{ rules: [named('a'), named('b'), named('a')] }, ['/rules/2/external_id duplicate']],
    [
      { rules: [named('a', { id: 'rul_1', version: 2 })] },
      ['/rules/0/id read_only', '/rules/0/version read_only'],
    ],
  ])('refuses %j', async (input, expected) => {
    expect(await faults(input)).toEqual(expected);
  });

  it('reports the faults of all rules at once, with their paths', async () => {
    const rules = [named('a'), named('b', { threshold: 'x' }), { external_id: 'c' }, named('b')];
    expect((await faults({ rules, prune: 1 })).sort()).toEqual(
      [
        '/prune invalid_type',
        '/rules/1/threshold invalid_type',
        '/rules/2/condition required',
        '/rules/2/metric required',
        '/rules/2/name required',
        '/rules/2/threshold required',
        '/rules/3/external_id duplicate',
      ].sort(),
    );
  });

  it('accepts at most a thousand rules, and reports at most a hundred faults', async () => {
    const many = (length: number) => Array.from({ length }, (_, index) => named(`r${index}`));
    expect(await faults({ rules: many(MAX_RULES_OF_A_SET) })).toEqual([]);
    expect(await faults({ rules: many(MAX_RULES_OF_A_SET + 1) })).toEqual(['/rules too_many']);
    expect(await faults({ rules: Array.from({ length: 500 }, () => ({})) })).toHaveLength(100);
  });

  it('pauses between rules when it is given a pause', async () => {
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    await readRuleSet({ rules: Array.from({ length: 120 }, (_, index) => named(`r${index}`)) }, { pause });
    expect(pauses).toBe(2);
  });

  it('refuses channels that the organization does not have', async () => {
    const channel = newId('chn');
    const input = { rules: [named('a', { channels: [channel] })] };
    expect(await faults(input)).toEqual(['/rules/0/channels/0 unknown_channel']);
    expect(await faults(input, new Set([channel]))).toEqual([]);
  });
});
