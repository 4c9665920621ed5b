import { z } from 'zod';
import { json } from '../../document/answers.ts';
import type { Route } from '../../document/route.ts';
import { agentRoute, REFUSAL_TEXT, refusals } from './agent-route.ts';

const valuesSchema = z.array(z.looseObject({})).meta({
  description: 'Values of plugins, in the format JSON of write_http.',
  examples: [
    [
      {
        values: [0.42, 0.35, 0.3],
        dstypes: ['gauge', 'gauge', 'gauge'],
        dsnames: ['shortterm', 'midterm', 'longterm'],
        time: 1764331200.25,
        interval: 10,
        host: 'web-01',
        plugin: 'load',
        plugin_instance: '',
        type: 'load',
        type_instance: '',
      },
    ],
  ],
});

/** The plugin `write_http` of collectd, in the format JSON. */
export const COLLECTD_ROUTES: readonly Route[] = [
  agentRoute({
    operationId: 'collectd',
    path: '/collectd',
    summary: 'Send values of collectd',
    description:
      'The format JSON of its plugin `write_http`, which sends nothing again, whatever it is answered.',
    body: [json(valuesSchema)],
    answers: [{ status: 204, description: 'The values are durable.' }, ...refusals(REFUSAL_TEXT)],
  }),
];
