import { expect, it } from 'vitest';
import { chooseChannels, type KnownChannel } from './choose-channels.ts';

const channel = (id: string, given: Partial<KnownChannel> = {}): KnownChannel => ({
  id,
  kind: 'slack',
  name: id,
  isDefault: false,
  state: 'enabled',
  events: null,
  changedAt: 0,
  ...given,
});
const KNOWN = [
  channel('chn_slack', { isDefault: true }),
  channel('chn_other'),
  channel('chn_email', { kind: 'email', isDefault: true, state: 'disabled' }),
  channel('chn_former', { kind: 'pagerduty', isDefault: true, state: 'deleted' }),
];

it.each<[string, string[], readonly KnownChannel[], [key: string, missing: string | null][]]>([
  ['nothing is nobody', [], KNOWN, []],
  [
    'default is the default of each kind that has one, disabled ones with the reason',
    ['default'],
    KNOWN,
    [
      ['chn_slack', null],
      ['chn_email', 'channel_disabled'],
    ],
  ],
  ['default without any default channel is nobody', ['default'], [channel('chn_other')], []],
  [
    'a channel that several names stand for is notified once',
    ['slack', 'default', 'chn_slack', 'chn_other'],
    KNOWN,
    [
      ['chn_slack', null],
      ['chn_email', 'channel_disabled'],
      ['chn_other', null],
    ],
  ],
  ['a kind without a default says so', ['pagerduty'], KNOWN, [['pagerduty', 'no_default']]],
])('%s', (_name, named, known, expected) => {
  expect(chooseChannels(named, known).map(({ key, missing }) => [key, missing])).toEqual(expected);
});
