import { describe, expect, it } from 'vitest';
import { PLACEHOLDER_MESSAGE } from '../problems/placeholder.ts';
import { applyChannelPatch, type ChannelDefinition, readChannelInput } from './channel-input.ts';
import { maskConfig } from './channel-secrets.ts';
import type { KindAndConfig } from './kinds/channel-kinds.ts';
import { maskSecret, maskUrl } from './kinds/masks.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const URL_OF_SLACK = 'https://hooks.slack.com/services/T000/B000/verysecretpart';
const BOT = { bot_token: 'xoxb-0123456789-secret', channel: '#alerts' };
const ROUTING = { routing_key: '0123456789abcdef0123456789abcdef' };

type Read = ReturnType<typeof readChannelInput>;
const faults = (read: Read) =>
  'errors' in read ? read.errors.map(({ path, code }) => `${path} ${code}`) : [];
const of = (kind: string, config: unknown) => readChannelInput({ kind, name: 'a', config });
const channelOf = (read: Read) => {
  if ('errors' in read) throw new Error(JSON.stringify(read.errors));
  return read.channel as ChannelDefinition & KindAndConfig;
};

describe('a new channel', () => {
  it.each([
    ['slack', { webhook_url: URL_OF_SLACK }, { webhook_url: URL_OF_SLACK }],
    ['slack', BOT, { ...BOT, api_url: 'https://slack.com/api' }],
    [
      'slack',
      { ...BOT, api_url: 'https://proxy.example/api/' },
      { ...BOT, api_url: 'https://proxy.example/api' },
    ],
    ['email', { to: ['a+b@example.com'] }, { to: ['a+b@example.com'] }],
    ['pagerduty', ROUTING, { ...ROUTING, api_url: 'https://events.pagerduty.com/v2/enqueue' }],
  ])('%s takes %j', (kind, config, stored) => {
    expect(channelOf(of(kind, config))).toEqual({
      kind,
      name: 'a',
      is_default: false,
      enabled: true,
      config: stored,
    });
  });

  it('a webhook without a list of events receives every event', () => {
    const { config } = channelOf(of('webhook', { url: 'https://example.com/hook', secret: SECRET }));
    expect(config).toMatchObject({ secret: SECRET, headers: {} });
    expect('events' in config && config.events).toContain('alert.digest');
  });

  it.each<[string, unknown, string[]]>([
    ['slack', {}, ['/config/bot_token required', '/config/channel required']],
    ['slack', { webhook_url: 'ftp://x' }, ['/config/webhook_url invalid_format']],
    ['slack', { webhook_url: URL_OF_SLACK, channel: '#a' }, ['/config/channel unknown_field']],
    ['slack', { ...BOT, channel: '<!here>' }, ['/config/channel invalid_format']],
    ['slack', { ...BOT, bot_token: 'x y z x y z' }, ['/config/bot_token invalid_format']],
    ['email', { to: [] }, ['/config/to too_few']],
    ['email', { to: ['a@b.example\r\nBcc: c@d.example'] }, ['/config/to/0 invalid_format']],
    ['email', { to: ['nobody'] }, ['/config/to/0 invalid_format']],
    ['webhook', {}, ['/config/url required']],
    ['webhook', { url: 'https://user:password@example.com/' }, ['/config/url invalid_format']],
    ['webhook', { url: 'https://example.com/…hook' }, ['/config/url invalid_format']],
    ['webhook', { url: 'https://example.com/a b' }, ['/config/url invalid_format']],
    ['webhook', { url: 'https://example.com/', secret: 'whsec_c2hvcnQ=' }, ['/config/secret invalid_format']],
    [
      'webhook',
      { url: 'https://example.com/', events: ['rule.painted'] },
      ['/config/events/0 invalid_value'],
    ],
    ['pagerduty', { routing_key: '…cdef' }, ['/config/routing_key too_short']],
    ['sms', {}, ['/kind invalid_value']],
  ])('%s does not take %j', (kind, config, expected) => {
    expect(faults(of(kind, config))).toEqual(expected);
  });

  it.each([
    ['slack', 'webhook_url', { webhook_url: 'https://hooks.slack.com/services/…' }],
    ['slack', 'bot_token', { ...BOT, bot_token: 'xoxb-…' }],
    ['webhook', 'url', { url: 'https://<host>/hook' }],
    ['webhook', 'secret', { url: 'https://example.com/', secret: 'whsec_…' }],
    ['pagerduty', 'routing_key', { routing_key: '…' }],
    ['email', 'to/0', { to: ['…@example.com'] }],
  ])('%s says that %s was left from an example', (kind, field, config) => {
    expect(of(kind, config)).toEqual({
      errors: [expect.objectContaining({ path: `/config/${field}`, message: PLACEHOLDER_MESSAGE })],
    });
  });

  it.each([
    ['Host', 'x'],
    ['webhook-signature', 'v1,x'],
    ['Transfer-Encoding', 'chunked'],
    ['Proxy-Authorization', 'x'],
    ['a b', 'x'],
    ['a\r\nb', 'x'],
    ['X-Own', 'a\r\nX-Evil: 1'],
    ['X-Own', 'ü'],
    ['X-Own', ''],
  ])('sends no header %j: %j', (name, value) => {
    const config = { url: 'https://example.com/', headers: { [name]: value } };
    expect(faults(of('webhook', config))).toHaveLength(1);
  });

  it.each([null, [], 'x', {}, { kind: 'slack' }, { kind: 'slack', name: 'a', config: [] }, { extra: 1 }])(
    '%j is none',
    (input) => expect(faults(readChannelInput(input))).not.toEqual([]),
  );
});

describe('a channel in a response', () => {
  it.each([
    ['abcdefghijkl', '…ijkl'],
    ['abcdefghijk', '…'],
    ['', '…'],
  ])('of %j is %j', (secret, shown) => expect(maskSecret(secret)).toBe(shown));

  it.each([
    [URL_OF_SLACK, 'https://hooks.slack.com/…part'],
    ['https://example.com/hook', 'https://example.com/…'],
    ['https://example.com/?token=0123456789ab', 'https://example.com/…89ab'],
    ['https://example.com', 'https://example.com/'],
  ])('of %s is %s', (url, shown) => expect(maskUrl(url)).toBe(shown));

  it('shows the addresses of providers in full', () => {
    expect(maskConfig(channelOf(of('pagerduty', ROUTING)))).toMatchObject({
      api_url: 'https://events.pagerduty.com/v2/enqueue',
    });
  });

  it('contains no secret', () => {
    const stored = [
      channelOf(of('slack', { webhook_url: URL_OF_SLACK })),
      channelOf(of('slack', BOT)),
      channelOf(of('pagerduty', { ...ROUTING, api_url: URL_OF_SLACK })),
      channelOf(
        of('webhook', { url: URL_OF_SLACK, secret: SECRET, headers: { Authorization: 'Bearer 0123456789' } }),
      ),
    ];
    const shown = JSON.stringify(stored.map(maskConfig));
    for (const secret of ['verysecretpart', BOT.bot_token, ROUTING.routing_key, SECRET, 'Bearer'])
      expect(shown).not.toContain(secret);
  });
});

describe('a change of a channel', () => {
  const url = 'https://example.com/hooks/verysecretpart';
  const hook = channelOf(
    of('webhook', { url, secret: SECRET, headers: { Authorization: 'Bearer 0123456789' } }),
  );
  const bot = channelOf(of('slack', BOT));

  it('that sends back masked values keeps every secret', () => {
    for (const stored of [hook, bot, channelOf(of('pagerduty', ROUTING))])
      expect(channelOf(applyChannelPatch(stored, { name: 'b', config: maskConfig(stored) }))).toEqual({
        ...stored,
        name: 'b',
      });
  });

  it('can replace secrets by new ones', () => {
    const { config } = channelOf(applyChannelPatch(bot, { config: { bot_token: 'xoxb-new-token' } }));
    expect(config).toMatchObject({ bot_token: 'xoxb-new-token', channel: '#alerts' });
  });

  it('that changes one header keeps the other headers', () => {
    const { config } = channelOf(applyChannelPatch(hook, { config: { headers: { 'X-Own': '1' } } }));
    expect(config).toMatchObject({ headers: { Authorization: 'Bearer 0123456789', 'X-Own': '1' } });
  });

  it('cannot send a stored secret to another server', () => {
    const elsewhere = { api_url: 'https://evil.example/api' };
    expect(faults(applyChannelPatch(bot, { config: elsewhere }))).toEqual(['/config/bot_token required']);
    expect(faults(applyChannelPatch(hook, { config: { url: 'https://evil.example/' } }))).toEqual([
      '/config/headers/Authorization required',
    ]);
    const replaced = { ...elsewhere, bot_token: 'xoxb-another-token' };
    expect(channelOf(applyChannelPatch(bot, { config: replaced })).config).toEqual({
      ...replaced,
      channel: '#alerts',
    });
    const path = { url: 'https://example.com/elsewhere' };
    expect(channelOf(applyChannelPatch(hook, { config: path })).config).toMatchObject(path);
  });

  it('with a masked value that differs from the shown one is refused', () => {
    expect(faults(applyChannelPatch(hook, { config: { url: 'https://example.com/…xxxx' } }))).toEqual([
      '/config/url invalid_format',
    ]);
  });

  it.each(['id', 'kind', 'version', 'created_at', 'updated_at', 'last_delivery', 'warnings'])(
    'of %s is refused',
    (name) => {
      expect(faults(applyChannelPatch(bot, { [name]: 'email' }))).toEqual([`/${name} read_only`]);
    },
  );

  it.each([null, [], 'x'])('%j is none', (patch) => {
    expect(faults(applyChannelPatch(bot, patch))).not.toEqual([]);
  });

  it('turns a webhook of Slack into a bot', () => {
    const stored = channelOf(of('slack', { webhook_url: URL_OF_SLACK }));
    expect(
      channelOf(applyChannelPatch(stored, { config: { webhook_url: null, ...BOT } })).config,
    ).toMatchObject(BOT);
  });
});
