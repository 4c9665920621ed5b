import { describe, expect, it } from 'vitest';
import { type Grouping, groupOf } from './grouping.ts';

const HOST = { host: 'web-01', tags: { region: 'eu' }, part: null };
const VAR = { host: 'web-01', tags: { region: 'eu' }, part: { kind: 'filesystem', name: '/var' } };

describe('the group of a host and of a part', () => {
  it.each<[Grouping, (string | null)[], (string | null)[]]>([
    ['all', [null, null, null], [null, null, null]],
    [{ tag: 'region' }, ['eu', null, null], ['eu', null, null]],
    [{ tag: 'toString' }, [null, null, null], [null, null, null]],
    ['host', ['web-01', 'web-01', null], ['web-01', 'web-01', null]],
    ['kind', ['host', null, null], ['filesystem', null, null]],
    ['part', [null, null, null], ['filesystem:/var', null, 'filesystem:/var']],
    ['subject', ['web-01', 'web-01', null], ['web-01 filesystem:/var', 'web-01', 'filesystem:/var']],
  ])('by %j', (grouping, ofHost, ofPart) => {
    for (const [subject, wanted] of [
      [HOST, ofHost],
      [VAR, ofPart],
    ] as const) {
      const { group, host, part } = groupOf(grouping, subject);
      expect([group, host, part]).toEqual(wanted);
    }
  });

  it('two subjects whose names read the same are two groups', () => {
    const one = groupOf('subject', { host: 'a', tags: {}, part: { kind: 'b c', name: 'd' } });
    const other = groupOf('subject', { host: 'a b', tags: {}, part: { kind: 'c', name: 'd' } });
    expect(one.group).toBe(other.group);
    expect(one.key).not.toBe(other.key);
  });
});
