import { z } from 'zod';
import { json } from '../document/answers.ts';
import { PROBLEMS_OF_BODIES, type Route } from '../document/route.ts';
import { ingestAnswerSchema } from './ingest.ts';
import { ingestBodySchema, payloadSchema } from './payload-schema.ts';

const PAYLOAD = { host: 'web-01', metrics: { cpu_percent: 12.5, memory_percent: 40.1, disk_percent: 71 } };

const ACCEPTED = { status: 'ok', events_accepted: 1 };
const WARNING = {
  code: 'unknown_field',
  path: '/tag',
  payloads: 1,
  message: 'Is not a known field and is ignored. Did you mean tags?',
};
const RECEIPT = { id: 'rcp_0197f3a1c0de7b3c9a51d2e4f6a80b1c', records: [{ transaction: '88123' }] };

/** The endpoint to which agents send payloads. */
export const INGEST_ROUTE: Route = {
  operationId: 'ingest',
  method: 'post',
  path: '/api/v1/ingest',
  tag: 'Ingest',
  summary: 'Send payloads',
  description:
    'Answers 200 once every payload is durable. A batch is atomic: one invalid payload refuses all of it, unless ' +
    '`Prefer: handling=lenient` asks for the valid ones. Repeating a payload with its `timestamp` changes nothing; of two ' +
    'values of one host, metric and time the later arrival stays. What is older than anything that is kept is accepted ' +
    'and not stored. At most 1 MiB on the wire and 16 MiB decompressed.',
  scope: 'ingest',
  headers: z.object({
    'Content-Encoding': z
      .enum(['gzip', 'br', 'zstd', 'deflate', 'identity'])
      .optional()
      .meta({ description: 'How the body is compressed.' }),
    Prefer: z
      .string()
      .optional()
      .meta({
        description:
          '`handling=lenient` accepts the valid payloads of a batch, `return=representation` asks for a receipt, which ' +
          'is left out beyond 600 a minute and where it cannot be kept, and `warnings` names what of the payloads is ' +
          'ignored, such as `tag` for `tags` (RFC 7240). All may stand together.',
        examples: ['handling=lenient, return=representation'],
      }),
  }),
  body: [
    json(ingestBodySchema, {
      one: { summary: 'One payload', value: PAYLOAD },
      batch: {
        summary: 'A batch',
        value: [PAYLOAD, { host: 'web-02', timestamp: '2026-11-21T14:36:28Z', metrics: {} }],
      },
    }),
    {
      type: 'application/x-ndjson',
      schema: payloadSchema,
      examples: {
        lines: { summary: 'One payload to a line, at most 1,000', value: `${JSON.stringify(PAYLOAD)}\n` },
      },
    },
  ],
  answers: [
    {
      status: 200,
      description: 'The payloads are durable.',
      content: json(ingestAnswerSchema, {
        usual: { summary: 'As usual', value: ACCEPTED },
        warnings: { summary: 'With warnings', value: { ...ACCEPTED, warnings: [WARNING] } },
        receipt: { summary: 'With a receipt', value: { ...ACCEPTED, receipt: RECEIPT } },
      }),
      headers: z.object({
        'Tidewatch-Series': z
          .string()
          .optional()
          .meta({
            description: 'Sent once 80 % of the limit of active series is used up.',
            examples: ['active=812345, limit=1000000'],
          }),
        'Preference-Applied': z
          .string()
          .optional()
          .meta({
            description:
              'What of `Prefer` was followed; without `return=representation` there is no receipt.',
            examples: ['handling=lenient, return=representation'],
          }),
      }),
      links: { getIngestReceipt: '/receipt/id' },
    },
  ],
  problems: [
    ...PROBLEMS_OF_BODIES,
    'series_limit',
    'samples_limited',
    'host_not_allowed',
    'ingest_unavailable',
    'storage_full',
  ],
};
