import { z } from 'zod';
import { json } from '../../document/answers.ts';
import type { Content, Route } from '../../document/route.ts';
import { agentRoute, refusals } from './agent-route.ts';

const takenSchema = z.object({ errors: z.array(z.string()) }).meta({ examples: [{ errors: [] }] });
const refusedSchema = z
  .object({ errors: z.array(z.string()) })
  .meta({ examples: [{ errors: ['1 refused, the others are stored: a series names no host'] }] });

const seriesSchema = z.object({ series: z.array(z.looseObject({})) }).meta({
  description: 'Series of the first version, in JSON.',
  examples: [
    {
      series: [
        {
          metric: 'system.load.1',
          points: [[1764331200, 0.42]],
          tags: [],
          host: 'web-01',
          type: 'gauge',
          interval: 15,
        },
      ],
    },
  ],
});
const seriesSchema2 = z.object({ series: z.array(z.looseObject({})) }).meta({
  description: 'Series of the second version, in JSON. Types are 1 (count), 2 (rate) and 3 (gauge).',
  examples: [
    {
      series: [
        {
          metric: 'system.load.1',
          points: [{ timestamp: 1764331200, value: 0.42 }],
          tags: [],
          resources: [{ type: 'host', name: 'web-01' }],
          type: 3,
          interval: 15,
        },
      ],
    },
  ],
});
const intakeSchema = z.looseObject({}).meta({
  description: 'What the agent says of its host, of which the tags are read.',
  examples: [{ internalHostname: 'web-01', 'host-tags': { system: ['env:production'] } }],
});
/** A body that is not read, of whatever form. */
const anything = z.unknown().meta({ examples: [{}] });

interface Post {
  operationId: string;
  path: string;
  summary: string;
  description: string;
  body: Content | readonly Content[];
}

function post({ body, ...route }: Post): Route {
  return agentRoute({
    ...route,
    body: [body].flat(),
    answers: [
      { status: 202, description: 'It is taken.', content: json(takenSchema) },
      ...refusals(json(refusedSchema)),
    ],
  });
}

/** What is asked for and not stored, so that the agent does not send it for ever. */
function passed(operationId: string, path: string, what: string): Route {
  return post({
    operationId,
    path,
    summary: `Take ${what} of Datadog's agent`,
    description: 'It is not stored: an agent that is refused it would send it again for ever.',
    body: json(anything),
  });
}

/** The endpoints to which Datadog's agent sends. */
export const DATADOG_ROUTES: readonly Route[] = [
  post({
    operationId: 'datadogSeries',
    path: '/datadog/api/v1/series',
    summary: "Send series of Datadog's agent in JSON",
    description: 'Answers 202 once every point is durable. The key goes into the header `DD-API-KEY`.',
    body: json(seriesSchema),
  }),
  post({
    operationId: 'datadogSeriesVersion2',
    path: '/datadog/api/v2/series',
    summary: "Send series of Datadog's agent in protobuf, or of its interface in JSON",
    description:
      'The message `MetricPayload`, as the agent sends it, or the JSON of those that use the interface without the agent. Answers 202 once every point is durable. The key goes into the header `DD-API-KEY`.',
    body: [{ type: 'application/x-protobuf', schema: null }, json(seriesSchema2)],
  }),
  post({
    operationId: 'datadogIntake',
    path: '/datadog/intake/',
    summary: "Send what Datadog's agent says of its host",
    description:
      "Its tags become tags of the host with the host's next sample. Nothing else of it is stored.",
    body: json(intakeSchema),
  }),
  post({
    operationId: 'datadogSketches',
    path: '/datadog/api/beta/sketches',
    summary: "Take distributions of Datadog's agent",
    description: 'They are not stored, and counted as left out.',
    body: { type: 'application/x-protobuf', schema: null },
  }),
  passed('datadogCheckRun', '/datadog/api/v1/check_run', 'states of checks'),
  passed('datadogMetadata', '/datadog/api/v1/metadata', 'inventories'),
  passed('datadogHostMetadata', '/datadog/api/v2/host_metadata', 'descriptions of hosts'),
];

/** What the agent asks at its start and once an hour. */
export const DATADOG_VALIDATE_ROUTE: Route = agentRoute({
  operationId: 'datadogValidate',
  method: 'get',
  path: '/datadog/api/v1/validate',
  summary: "Say whether the key of Datadog's agent is valid",
  description: 'A key that is missing or wrong is a 403, as the agent expects it.',
  headers: z.object({}),
  answers: [
    {
      status: 200,
      description: 'The key is valid.',
      content: json(z.object({ valid: z.literal(true) }).meta({ examples: [{ valid: true }] })),
    },
    ...refusals(json(refusedSchema)).filter(({ status }) => [400, 403, 503].includes(status)),
  ],
});
