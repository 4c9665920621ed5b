import { z } from 'zod';
import type { Answer, Content, Route } from '../../document/route.ts';

/** The headers that requests of other agents may have, beside those of their protocol. */
export const agentHeaders = z.object({
  'Content-Encoding': z.string().optional().meta({ description: 'How the body is compressed.' }),
  'X-Tidewatch-Host': z
    .string()
    .optional()
    .meta({
      description: 'The host of every series of the request, for senders that know none.',
      examples: ['web-01'],
    }),
});

/** What the problems of a request of another agent are, each by a status that its senders understand. */
const REFUSALS: readonly (readonly [status: number, description: string])[] = [
  [400, 'Something was refused for ever: the body says what. What was valid is durable.'],
  [401, 'The key is missing or wrong.'],
  [403, 'The key lacks the scope.'],
  [413, 'The body is too large.'],
  [415, 'The type or the encoding is not supported.'],
  [503, 'Send it again after Retry-After: nothing of it was stored.'],
];

/** A refusal in words, for protocols whose senders only log it. */
export const REFUSAL_TEXT: Content = {
  type: 'text/plain',
  schema: z.string().meta({ examples: ['bad_request: 3 of 512 were refused, the others are stored.\n'] }),
};

/** The answers of a protocol that refuses with bodies of its own. */
export function refusals(...content: readonly Content[]): Answer[] {
  return REFUSALS.map(([status, description]) => ({ status, description, content }));
}

/** A route of the protocol of another agent, in whose name `operationId` begins. */
export function agentRoute(route: Pick<Route, 'operationId' | 'path' | 'summary'> & Partial<Route>): Route {
  return {
    method: 'post',
    tag: 'Other agents',
    scope: 'ingest',
    headers: agentHeaders,
    answers: [],
    problems: [],
    ...route,
  };
}
