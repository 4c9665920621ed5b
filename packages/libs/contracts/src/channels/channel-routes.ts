import { answered, created, json, mergePatch, versioned } from '../document/answers.ts';
import { deletesVersion, reads, readsById } from '../document/operations.ts';
import { defineRoutes, idParameter, ifMatchHeader, PROBLEMS_OF_BODIES } from '../document/route.ts';
import { channelSchema, channelsPageSchema, channelsQuerySchema, channelTestSchema } from './channel.ts';
import { channelInputSchema, channelPatchSchema } from './channel-input.ts';

const SLACK = {
  kind: 'slack',
  name: 'on call',
  config: { webhook_url: 'https://hooks.slack.com/services/T000/B000/XXXX' },
};
const WEBHOOK = {
  kind: 'webhook',
  name: 'ticket system',
  config: { url: 'https://example.com/hooks/tidewatch' },
};

/** The routes of channels, and of test deliveries to them. */
export const CHANNEL_ROUTES = defineRoutes('Channels', [
  {
    ...reads(channelsQuerySchema, 'A page of channels.', channelsPageSchema),
    operationId: 'listChannels',
    path: '/api/v1/channels',
    summary: 'List channels',
  },
  {
    operationId: 'createChannel',
    method: 'post',
    path: '/api/v1/channels',
    summary: 'Create a channel',
    description:
      'The first channel of a kind becomes its default. Secrets are stored encrypted and read back masked; a secret that ' +
      'is made for a webhook is shown in this answer alone.',
    scope: 'write',
    body: [
      json(channelInputSchema, {
        slack: { summary: "Slack's incoming webhook", value: SLACK },
        webhook: { summary: 'A webhook whose secret is made', value: WEBHOOK },
      }),
    ],
    answers: [
      created(
        'The channel as it is stored.',
        channelSchema,
        'getChannel',
        'updateChannel',
        'testChannel',
        'deleteChannel',
      ),
    ],
    problems: PROBLEMS_OF_BODIES,
  },
  {
    ...readsById('chn', 'channel', 'The channel.', channelSchema),
    operationId: 'getChannel',
    path: '/api/v1/channels/{id}',
    summary: 'Read a channel',
  },
  {
    operationId: 'updateChannel',
    method: 'patch',
    path: '/api/v1/channels/{id}',
    summary: 'Change a channel',
    description:
      'A JSON merge patch (RFC 7396). What is sent back masked stays as it is stored, unless it would then go to another ' +
      'server. `is_default: true` moves the default of the kind here; null as the secret of a webhook makes a new one.',
    scope: 'write',
    parameters: idParameter('chn', 'channel'),
    headers: ifMatchHeader,
    body: mergePatch(channelPatchSchema),
    answers: [versioned('The channel as it is stored now.', channelSchema)],
    problems: [...PROBLEMS_OF_BODIES, 'not_found', 'precondition_failed', 'secrets_unreadable'],
  },
  {
    ...deletesVersion('chn', 'channel', 'The channel is deleted.'),
    operationId: 'deleteChannel',
    path: '/api/v1/channels/{id}',
    summary: 'Delete a channel',
    description:
      'Its secrets are forgotten. Rules that name it stay as they are, with a warning, and what goes there is recorded as ' +
      '`not_configured`. No other channel becomes the default of its kind.',
  },
  {
    operationId: 'testChannel',
    method: 'post',
    path: '/api/v1/channels/{id}/test',
    summary: 'Try a channel out',
    description:
      'Sends one message that says it is a test, also where the channel is disabled, and tries once. A webhook gets, ' +
      'whatever it asked for, an `alert.fired` about the host `example-host` by a rule that is named `Test of the channel` ' +
      'and the name of the channel; neither exists.',
    scope: 'write',
    parameters: idParameter('chn', 'channel'),
    answers: [answered('What came of it.', channelTestSchema)],
    problems: ['not_found', 'secrets_unreadable'],
  },
]);
