import { z } from 'zod';
import { defineRoutes } from '../document/route.ts';
import { eventsQuerySchema } from './event-stream.ts';

const FIRED = {
  summary: 'An alert that fired',
  value:
    'id: evt_0197f3a1c0de7b3c9a51d2e4f6a80b1c\nevent: alert.fired\ndata: {"specversion":"1.0","id":"evt_0197f3a1c0de7b3c9a51d2e4f6a80b1c","type":"alert.fired", … }\n\n',
};
const BEGINNING = {
  summary: 'How a stream begins: when to come back, and from where, before any event',
  value: 'retry: 2000\nid: evt_0197f3a1c0de7b3c9a51d2e4f6a80b1c\n\n',
};
const RESET = {
  summary: 'Something may be missing; the reason is `unknown_id` or `too_old`',
  value:
    'id: evt_0197f3a1c0de7b3c9a51d2e4f6a80b1c\nevent: reset\ndata: {"type":"reset","reason":"too_old"}\n\n',
};

/** The route of the stream of events. */
export const EVENT_ROUTES = defineRoutes('Events', [
  {
    operationId: 'streamEvents',
    method: 'get',
    path: '/api/v1/events',
    summary: 'Follow events',
    description:
      'Server-sent events: `id` is the id of a CloudEvent, `event` its type and `data` the CloudEvent on one line, in the ' +
      'form of the schema `Event`. The answer never ends by itself. Its first block says in `retry` after how many ' +
      'milliseconds to come back, and like the comments that come every 15 seconds may carry an `id` without `data`: ' +
      'that, too, is one to resume from. ' +
      'Who comes back with `Last-Event-ID` gets everything since that event, once and in order, if what came after ' +
      'it is at most 24 hours old. Otherwise one `event: reset` says that something may be missing, and new events ' +
      'follow. A stream ends when its key is revoked or expires, when its reader is too slow, and when the process ' +
      'leaves: come back with `Last-Event-ID`.',
    scope: 'read',
    headers: z.object({
      'Last-Event-ID': z
        .string()
        .optional()
        .meta({
          description: 'Id of the last event that was seen.',
          examples: ['evt_0197f3a1c0de7b3c9a51d2e4f6a80b1c'],
        }),
    }),
    query: eventsQuerySchema,
    answers: [
      {
        status: 200,
        description: 'The stream, until either side ends it.',
        content: {
          type: 'text/event-stream',
          schema: null,
          examples: { fired: FIRED, beginning: BEGINNING, reset: RESET },
        },
      },
    ],
    problems: ['validation_failed', 'not_acceptable', 'too_many_streams', 'streams_full', 'shutting_down'],
  },
]);
