import { defineRoutes } from '../document/route.ts';
import { auditPageSchema, auditQuerySchema } from './audit.ts';

/** The routes of the audit log, which is read-only. */
export const AUDIT_ROUTES = defineRoutes('Audit', [
  {
    operationId: 'listAudit',
    method: 'get',
    path: '/api/v1/audit',
    summary: 'List the audit log',
    description:
      'Who changed which rule, channel, silence, key, service or alert, who made which organization, and who signed in and out, newest first.',
    scope: 'admin',
    query: auditQuerySchema,
    answers: [
      {
        status: 200,
        description: 'A page of the audit log.',
        content: { type: 'application/json', schema: auditPageSchema },
      },
    ],
    problems: ['validation_failed'],
  },
]);
