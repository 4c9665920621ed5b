import { describe, expect, test } from 'vitest';
import { chooseChannels, type KnownChannel } from './choose-channels.ts';
import { type EarlierNotice, planOpening, planResolution } from './plan.ts';

const channel = (key: string) => ({ key, kind: 'webhook' as const, id: key, name: key });
const chosen = (key: string) => ({ ...channel(key), missing: null, events: null, changedAt: 0 });
const earlier = (key: string, fields: Partial<EarlierNotice> = {}): EarlierNotice => ({
  id: `ntf-${key}`,
  channel: channel(key),
  direction: 'opening',
  status: 'delivered',
  severity: 'warning',
  createdAt: 0,
  ...fields,
});
const everything = () => null;

describe('the notice of an active alert', () => {
  test('is sent to every channel that is to be notified, after the notices already queued for that channel', () => {
    const before = [earlier('a', { status: 'queued' }), earlier('b')];
    expect(planOpening([chosen('a'), chosen('b')], before, () => ({ kind: 'notify' }))).toEqual([
      { channel: channel('a'), decision: { kind: 'notify', waitsFor: ['ntf-a'] } },
      { channel: channel('b'), decision: { kind: 'notify', waitsFor: [] } },
    ]);
  });

  test('is recorded with a reason for every channel that is not notified', () => {
    const missing = { ...chosen('b'), missing: 'no_default' as const };
    const decided = planOpening([chosen('a'), missing], [], (each) =>
      each.missing === null
        ? { kind: 'suppress', reason: 'silenced' }
        : { kind: 'not_configured', reason: each.missing },
    );
    expect(decided.map(({ decision }) => decision)).toEqual([
      { kind: 'suppress', reason: 'silenced' },
      { kind: 'not_configured', reason: 'no_default' },
    ]);
  });
});

describe('the notice of a resolution', () => {
  test.each([
    ['delivered', 'delivered', { kind: 'notify', waitsFor: [] }],
    ['queued', 'queued', { kind: 'notify', waitsFor: ['ntf-a'] }],
    ['suppressed', 'suppressed', { kind: 'suppress', reason: 'firing_not_notified' }],
    ['failed', 'failed', { kind: 'suppress', reason: 'firing_not_notified' }],
    ['without a channel', 'not_configured', { kind: 'suppress', reason: 'firing_not_notified' }],
  ] as const)('of a firing that was %s', (_name, status, decision) => {
    expect(planResolution([earlier('a', { status })], everything)).toEqual([
      { channel: channel('a'), decision },
    ]);
  });

  test('is sent to every channel that was notified of its alert', () => {
    const before = [earlier('a', { status: 'suppressed' }), earlier('a', { id: 'ntf-2' })];
    expect(planResolution(before, everything)).toHaveLength(1);
    expect(planResolution(before, everything)[0]?.decision.kind).toBe('notify');
  });

  test('is not recorded for an alert that no channel was planned for', () => {
    expect(planResolution([], everything)).toEqual([]);
  });
});

describe('the channels of a rule', () => {
  const known = (fields: Partial<KnownChannel>): KnownChannel => ({
    id: 'chn_1',
    kind: 'slack',
    name: 'Ops',
    isDefault: false,
    state: 'enabled',
    events: null,
    changedAt: 0,
    ...fields,
  });

  test('a deleted channel is no longer a default of its kind', () => {
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
