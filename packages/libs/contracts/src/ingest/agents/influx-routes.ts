import { z } from 'zod';
import { json } from '../../document/answers.ts';
import type { Content, Route } from '../../document/route.ts';
import { agentRoute, refusals } from './agent-route.ts';

/** A parameter that senders have to give and that decides nothing here. */
const ignored = (of: string) =>
  z
    .string()
    .optional()
    .meta({ description: `${of} of InfluxDB, which decides nothing here.`, examples: ['any'] });
const precision = (values: string) =>
  z
    .string()
    .optional()
    .meta({ description: `The unit of times: ${values}; nanoseconds without it.`, examples: ['ns'] });

const lines = z
  .string()
  .meta({ examples: ['cpu,host=web-01,cpu=cpu-total usage_idle=87.5,usage_iowait=0.5\n'] });
const errorSchema = z
  .object({ error: z.string() })
  .meta({ examples: [{ error: 'partial write: 1 refused, the others are stored: line 3: … dropped=1' }] });
const messageSchema = z
  .object({ code: z.string(), message: z.string() })
  .meta({ examples: [{ code: 'invalid', message: 'bad_request: precision must be one of ns, us, ms, s.' }] });

interface Write {
  operationId: string;
  path: string;
  query: z.ZodObject;
  refusal: Content;
}

function write({ operationId, path, query, refusal }: Write): Route {
  return agentRoute({
    operationId,
    path,
    summary: 'Send lines of InfluxDB',
    description:
      'Answers 204 once every line is durable, and 400 once the valid ones are. Databases and buckets make no difference; the tag `host` ' +
      'names the host.',
    query,
    body: [{ type: 'text/plain', schema: lines }],
    answers: [{ status: 204, description: 'The lines are durable.' }, ...refusals(refusal)],
  });
}

/** The endpoints of InfluxDB 1 and 2 for lines. */
export const INFLUX_WRITE_ROUTES: readonly Route[] = [
  write({
    operationId: 'influxWrite',
    path: '/write',
    query: z.object({
      db: ignored('Database'),
      rp: ignored('Retention policy'),
      precision: precision('`n`, `ns`, `u`, `us`, `µ`, `ms`, `s`, `m`, `h`'),
      consistency: ignored('Consistency'),
    }),
    refusal: json(errorSchema),
  }),
  write({
    operationId: 'influxWriteVersion2',
    path: '/api/v2/write',
    query: z.object({
      org: ignored('Organization'),
      bucket: ignored('Bucket'),
      precision: precision('`ns`, `us`, `ms`, `s`'),
    }),
    refusal: json(messageSchema),
  }),
];

/** What senders of lines ask for before they send, by the form of version 1. */
export const INFLUX_PING_ROUTE: Route = agentRoute({
  operationId: 'influxPing',
  method: 'get',
  path: '/ping',
  summary: 'Answer senders of lines that lines are taken here',
  scope: null,
  headers: z.object({}),
  answers: [
    {
      status: 204,
      description: 'Lines are taken here.',
      headers: z.object({ 'X-Influxdb-Version': z.string().meta({ examples: ['1.8.10-tidewatch'] }) }),
    },
  ],
});

/** The same by the form of version 2. */
export const INFLUX_HEALTH_ROUTE: Route = agentRoute({
  operationId: 'influxHealth',
  method: 'get',
  path: '/health',
  summary: 'Answer senders of lines by version 2 that lines are taken here',
  scope: null,
  headers: z.object({}),
  answers: [
    {
      status: 200,
      description: 'Lines are taken here.',
      content: json(
        z
          .object({ name: z.literal('influxdb'), status: z.literal('pass'), message: z.string() })
          .meta({ examples: [{ name: 'influxdb', status: 'pass', message: 'ready for lines' }] }),
      ),
    },
  ],
});

/** The statements that senders of version 1 send before lines. */
export const INFLUX_QUERY_ROUTE: Route = agentRoute({
  operationId: 'influxQuery',
  path: '/query',
  summary: 'Answer CREATE DATABASE and SHOW DATABASES of senders of lines',
  description: 'Every other statement is a 400: queries are those of `/api/v1`.',
  headers: z.object({}),
  query: z.object({
    q: z
      .string()
      .optional()
      .meta({
        description: 'The statement; also as a field of a form.',
        examples: ['CREATE DATABASE "telegraf"'],
      }),
    db: ignored('Database'),
  }),
  answers: [
    {
      status: 200,
      description: 'There is one place for all lines, so that no database has to be created.',
      content: json(
        z
          .object({ results: z.array(z.looseObject({ statement_id: z.int() })) })
          .meta({ examples: [{ results: [{ statement_id: 0 }] }] }),
      ),
    },
    ...refusals(json(errorSchema)),
  ],
});
