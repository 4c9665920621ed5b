import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';

const HEADERS = z.object({
  'webhook-id': z.string().meta({
    description:
      'Id of the event, the same each time it is sent. Keep those that were seen: a delivery may come twice.',
    examples: ['evt_0197f3a1c0de7b3c9a51d2e4f6a80b1c'],
  }),
  'webhook-timestamp': z.string().meta({
    description: 'When it was sent, in seconds since 1970. Refuse what is more than five minutes off.',
    examples: ['1795271788'],
  }),
  'webhook-signature': z.string().meta({
    description: 'Signatures with blanks between them; one that is right is enough.',
    examples: ['v1,aYJVh9t0q5eg0hphx0MV2gxbn4dCmOpuPJkHjeYLziI='],
  }),
});

/** The request that channels of the kind `webhook` receive, as the document describes it. */
export const WEBHOOKS: ZodOpenApiPathsObject = {
  event: {
    post: {
      operationId: 'receiveEvent',
      tags: ['Channels'],
      summary: 'What a webhook is sent',
      description:
        'Every event that a channel of the kind `webhook` receives is posted to its `url`, with the `headers` of its ' +
        'configuration, signed by [Standard Webhooks](https://www.standardwebhooks.com/): a signature is `v1,` and the ' +
        'base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<body>`, the body as it came, with the bytes that ' +
        'stand in base64 behind `whsec_` of the secret as the key. Compare in constant time.',
      security: [],
      requestParams: { header: HEADERS },
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Event' } } },
      },
      responses: {
        '2XX': { description: 'It arrived. The body is not needed; at most 64 KiB of it are read.' },
        '3XX': { description: 'It failed for good: redirects are not followed.' },
        '4XX': { description: 'It failed for good, unless it is 408 or 429, which are tried again.' },
        '5XX': {
          description:
            'It is retried, like a connection that fails and no answer within 10 seconds; not before `Retry-After`.',
        },
      },
    },
  },
};
