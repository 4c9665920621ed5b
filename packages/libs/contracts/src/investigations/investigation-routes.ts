import { json } from '../document/answers.ts';
import { pagesOrExports } from '../document/operations.ts';
import {
  createdHeaders,
  defineRoutes,
  etagHeaders,
  fieldsOnly,
  idParameter,
  ifNoneMatchHeader,
  linksById,
  NOT_MODIFIED,
  PROBLEMS_OF_BODIES,
} from '../document/route.ts';
import { FEEDBACK_EXAMPLE, feedbackInputSchema } from './analysis.ts';
import { investigationSchema, investigationsPageSchema } from './investigation.ts';
import { INVESTIGATION_EXAMPLES, investigationInputSchema } from './investigation-input.ts';
import { investigationsQuerySchema } from './investigation-query.ts';

const whole = (description: string, status = 200) => ({
  status,
  description,
  content: json(investigationSchema),
  headers: status === 202 ? createdHeaders : etagHeaders,
  links: {
    ...linksById('getInvestigation', 'cancelInvestigation', 'rateInvestigation'),
    getService: '/service_id',
  },
});

/** The routes of investigations, which alerts or users start. */
export const INVESTIGATION_ROUTES = defineRoutes('Investigations', [
  {
    ...pagesOrExports(investigationsQuerySchema, 'A page of investigations.', investigationsPageSchema),
    operationId: 'listInvestigations',
    path: '/api/v1/investigations',
    summary: 'List investigations',
    description: 'By creation, newest first, with their findings.',
  },
  {
    operationId: 'requestInvestigation',
    method: 'post',
    path: '/api/v1/investigations',
    summary: 'Ask for an investigation',
    description:
      'Of an alert, or of a service in a window. Critical and warning alerts begin one by themselves, one for each ' +
      'service and 30 minutes; one that is asked for is always new, whatever there is already. An alert without an ' +
      'investigation gets this one as its `investigation_id`. It waits in a queue: follow `status`, or the events ' +
      '`investigation.*`.',
    scope: 'write',
    body: [
      json(investigationInputSchema, {
        alert: { summary: 'Of an alert', value: INVESTIGATION_EXAMPLES.alert },
        service: { summary: 'Of a service', value: INVESTIGATION_EXAMPLES.service },
      }),
    ],
    answers: [whole('The investigation, queued.', 202)],
    problems: [...PROBLEMS_OF_BODIES, 'investigations_queued'],
  },
  {
    operationId: 'getInvestigation',
    method: 'get',
    path: '/api/v1/investigations/{id}',
    summary: 'Read an investigation in full',
    description:
      'While it runs, with the findings so far. Its evidence is frozen: it stays when samples have aged out.',
    scope: 'read',
    parameters: idParameter('inv', 'investigation'),
    query: fieldsOnly(investigationSchema.shape),
    headers: ifNoneMatchHeader,
    answers: [whole('The investigation.'), NOT_MODIFIED],
    problems: ['not_found', 'validation_failed'],
  },
  {
    operationId: 'cancelInvestigation',
    method: 'post',
    path: '/api/v1/investigations/{id}/cancel',
    summary: 'Cancel an investigation',
    description:
      'Whether it waits or runs; it keeps the findings that it has. Once more changes nothing. What is completed or ' +
      'has failed cannot be cancelled.',
    scope: 'write',
    parameters: idParameter('inv', 'investigation'),
    answers: [whole('The investigation, cancelled.')],
    problems: ['not_found', 'conflict'],
  },
  {
    operationId: 'rateInvestigation',
    method: 'post',
    path: '/api/v1/investigations/{id}/feedback',
    summary: 'Say whether an investigation helped',
    description:
      'And what it really was. Later investigations of the same trouble name it. What was said last stays.',
    scope: 'write',
    parameters: idParameter('inv', 'investigation'),
    body: [json(feedbackInputSchema, { helped: { summary: 'It helped', value: FEEDBACK_EXAMPLE } })],
    answers: [whole('The investigation, with the feedback.')],
    problems: [...PROBLEMS_OF_BODIES, 'not_found'],
  },
]);
