import { reads } from '../document/operations.ts';
import { defineRoutes, fieldsOnly } from '../document/route.ts';
import { summarySchema } from './summary.ts';

/** The route of the summary. */
export const SUMMARY_ROUTES = defineRoutes('Operations', [
  {
    ...reads(fieldsOnly(summarySchema.shape), 'The summary.', summarySchema),
    operationId: 'getSummary',
    path: '/api/v1/summary',
    summary: 'Read the state at a glance',
    description:
      'Hosts by status, active alerts by severity and acknowledgement, how far evaluation is behind, and what was not delivered. Read at most once a second for all requests of an organization.',
  },
]);
