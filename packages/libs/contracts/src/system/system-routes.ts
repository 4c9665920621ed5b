import { answered } from '../document/answers.ts';
import { defineRoutes } from '../document/route.ts';
import { systemSchema } from './system.ts';

/** The route of the state of the installation. */
export const SYSTEM_ROUTES = defineRoutes('Operations', [
  {
    operationId: 'getSystem',
    method: 'get',
    path: '/api/v1/system',
    summary: 'Read the state of the installation',
    description:
      'Processes, lag, dead letters, queues, jobs and storage of the whole installation, for its operator. Processes report ' +
      'every ten seconds; one that has not reported for thirty is `missing`. `/readyz` says whether the process that answers is ' +
      'ready, and needs no key.',
    scope: 'operator',
    answers: [answered('The state.', systemSchema)],
    problems: [],
  },
]);
