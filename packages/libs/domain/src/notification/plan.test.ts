import { describe, expect, test } from 'vitest';
import { chooseChannels, type KnownChannel } from './choose-channels.ts';
import { type EarlierNotice, planOpening, planResolution } from './plan.ts';

const channel = (key: string) => ({ key, kind: 'webhook' as const, id: key, name: key });
const chosen = (key: string) => ({ ...channel(key), missing: null, events: null });
const earlier = (key: string, fields: Partial<EarlierNotice> = {}): EarlierNotice => ({
  ...{ id: `ntf-${key}`, channel: channel(key), direction: 'opening', status: 'delivered' },
  ...fields,
});
const everything = () => null;

describe('an opening', () => {
  test('goes to every channel that the rule names, after what is queued for it already', () => {
    const before = [earlier('a', { status: 'queued' }), earlier('b')];
    expect(planOpening('escalated', [chosen('a'), chosen('b')], before, null)).toEqual([
      { channel: channel('a'), decision: { kind: 'tell', waitsFor: ['ntf-a'] } },
      { channel: channel('b'), decision: { kind: 'tell', waitsFor: [] } },
    ]);
  });

  test('is recorded for every channel where nobody is told', () => {
    const missing = { ...chosen('b'), missing: 'no_default' as const };
    expect(
      planOpening('fired', [chosen('a'), missing], [], 'silenced').map(({ decision }) => decision),
    ).toEqual([
      { kind: 'suppress', reason: 'silenced' },
      { kind: 'suppress', reason: 'silenced' },
    ]);
  });

  test('passes over a channel that did not ask for it', () => {
    const picky = { ...chosen('a'), events: ['alert.resolved' as const] };
    expect(planOpening('fired', [picky], [], null)[0]?.decision).toEqual({
      kind: 'suppress',
      reason: 'not_subscribed',
    });
  });
});

describe('a resolution', () => {
  test.each([
    ['told', 'delivered', { kind: 'tell', waitsFor: [] }],
    ['about to be told', 'queued', { kind: 'tell', waitsFor: ['ntf-a'] }],
    ['suppressed', 'suppressed', { kind: 'suppress', reason: 'firing_not_told' }],
    ['failed', 'failed', { kind: 'suppress', reason: 'firing_not_told' }],
    ['without a channel', 'not_configured', { kind: 'suppress', reason: 'firing_not_told' }],
  ] as const)('of a firing that was %s', (_name, status, decision) => {
    expect(planResolution([earlier('a', { status })], everything)).toEqual([
      { channel: channel('a'), decision },
    ]);
  });

  test('is told where any of what came before was', () => {
    const before = [earlier('a', { status: 'suppressed' }), earlier('a', { id: 'ntf-2' })];
    expect(planResolution(before, everything)).toHaveLength(1);
    expect(planResolution(before, everything)[0]?.decision.kind).toBe('tell');
  });

  test('of what nobody was ever to be told makes no record', () => {
    expect(planResolution([], everything)).toEqual([]);
  });
});

describe('the channels of a rule', () => {
  const known = (fields: Partial<KnownChannel>): KnownChannel => ({
    ...{ id: 'chn_1', kind: 'slack', name: 'Ops', isDefault: false, state: 'enabled', events: null },
    ...fields,
  });

  test('a deleted channel is no default of its kind any more', () => {
    const channels = [known({ isDefault: true, state: 'deleted' })];
    expect(chooseChannels(['slack', 'chn_1'], channels).map(({ key, missing }) => [key, missing])).toEqual([
      ['slack', 'no_default'],
      ['chn_1', 'channel_deleted'],
    ]);
  });

  test('a disabled default is still the default', () => {
    expect(chooseChannels(['slack'], [known({ isDefault: true, state: 'disabled' })])).toMatchObject([
      { key: 'chn_1', missing: 'channel_disabled' },
    ]);
  });
});
