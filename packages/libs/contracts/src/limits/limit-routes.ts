import { answered } from '../document/answers.ts';
import { defineRoutes } from '../document/route.ts';
import { limitsSchema } from './limits.ts';

/** The route of the limits. */
export const LIMIT_ROUTES = defineRoutes('Operations', [
  {
    operationId: 'getLimits',
    method: 'get',
    path: '/api/v1/limits',
    summary: 'Read limits and their use',
    description:
      'Requests of the key, and samples, series and stored objects of the organization. Stored objects and series are counted at most every ten seconds.',
    scope: 'read',
    answers: [answered('The limits.', limitsSchema)],
    problems: [],
  },
]);
