import { readChannelInput } from '@tidewatch/contracts/channels/channel-input';
import { CHANNEL_KINDS } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { describe, expect, it } from 'vitest';
import { destinationOf, KINDS, newChannel } from './channel-kinds.ts';

it('has a form for every kind of the contract', () => {
  expect(KINDS.map(([kind]) => kind)).toEqual(CHANNEL_KINDS);
});

describe.each(CHANNEL_KINDS)('a new channel of the kind %s', (kind) => {
  it('lacks nothing but its name and its destination', () => {
    const read = readChannelInput(newChannel(kind));
    const paths = 'errors' in read ? read.errors.map(({ path }) => path) : [];
    expect(paths[0]).toBe('/name');
    expect(paths.slice(1).every((path) => path.startsWith('/config/'))).toBe(true);
    expect(paths).toHaveLength(2);
  });
});

it.each([
  [{ to: ['a@example.com', 'b@example.com'] }, 'a@example.com, b@example.com'],
  [{ webhook_url: 'https://hooks.slack.com/…x7Qa' }, 'https://hooks.slack.com/…x7Qa'],
  [{ bot_token: '…x7Qa', channel: '#alerts' }, '#alerts'],
  [{ routing_key: '…cdef' }, '…cdef'],
])('sends with %j to %s', (config, destination) => {
  expect(destinationOf(config)).toBe(destination);
});
