import type { EVENT_ROUTES } from '@tidewatch/contracts/events/event-routes';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { keyOf } from '@tidewatch/runtime/auth/authentication';
import type { Response } from 'express';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createFilter } from './event-filter.ts';

/** `GET /api/v1/events`. */
export function createEventHandlers({ access, events }: QueryApiOptions): Handlers<typeof EVENT_ROUTES> {
  return {
    async streamEvents({ query, request, response }) {
      // Answers HEAD separately, because Express would run the GET handler for as long as a stream lasts.
      if (request.method === 'HEAD') return answerHead(response);
      if (!request.accepts('text/event-stream'))
        throw new ProblemError('not_acceptable', { detail: 'Events are sent as text/event-stream.' });
      const { id: keyId, organizationId, session } = keyOf(response);
      await events.open(response, {
        organizationId,
        keyId,
        credentialId: session?.id ?? keyId,
        filter: createFilter(query),
        lastEventId: request.get('last-event-id') ?? '',
        stillOpens: () => access.stillOpens(request, 'read'),
      });
    },
  };
}

function answerHead(response: Response): void {
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.end();
}
