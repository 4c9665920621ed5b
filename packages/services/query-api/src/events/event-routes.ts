import { eventsQuerySchema } from '@tidewatch/contracts/events/event-stream';
import { ProblemError } from '@tidewatch/contracts/values/problem';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { Request, Response, Router } from 'express';
import { queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createFilter } from './event-filter.ts';

const EVENTS = '/api/v1/events';

/** `GET /api/v1/events`. */
export function addEventRoutes(router: Router, { authenticate, stillOpens, events }: QueryApiOptions): void {
  // Express answers HEAD as GET, and would do so for as long as the stream lasts.
  router.head(EVENTS, authenticate('read'), (request: Request, response: Response) => {
    queryOf(request, eventsQuerySchema);
    response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
    response.end();
  });

  router.get(EVENTS, authenticate('read'), async (request: Request, response: Response) => {
    const filter = createFilter(queryOf(request, eventsQuerySchema));
    if (!request.accepts('text/event-stream'))
      throw new ProblemError('not_acceptable', { detail: 'Events are told as text/event-stream.' });
    const { id: keyId, organizationId } = keyOf(response);
    await events.open(response, {
      ...{ organizationId, keyId, filter },
      lastEventId: request.get('last-event-id') ?? '',
      stillOpens: () => stillOpens(request.headers, 'read'),
    });
  });
}
