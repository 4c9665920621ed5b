import { answered, json } from '../document/answers.ts';
import { defineRoutes, PROBLEMS_OF_BODIES } from '../document/route.ts';
import {
  createdOrganizationSchema,
  organizationInputSchema,
  organizationsPageSchema,
  organizationsQuerySchema,
} from './organization.ts';

/** The routes of organizations, for the operator of the installation. */
export const ORGANIZATION_ROUTES = defineRoutes('Organizations', [
  {
    operationId: 'listOrganizations',
    method: 'get',
    path: '/api/v1/organizations',
    summary: 'List organizations',
    description: 'By creation, oldest first.',
    scope: 'operator',
    query: organizationsQuerySchema,
    answers: [answered('A page of organizations.', organizationsPageSchema)],
    problems: ['validation_failed'],
  },
  {
    operationId: 'createOrganization',
    method: 'post',
    path: '/api/v1/organizations',
    summary: 'Create an organization',
    description:
      'Answers its first admin key, whose secret is shown only here; that key lacks the scope `operator`. Names may ' +
      'repeat. It is noted in the audit log of the organization whose key asked.',
    scope: 'operator',
    body: [
      json(organizationInputSchema, {
        retail: { summary: 'A second organization', value: { name: 'Retail' } },
      }),
    ],
    answers: [
      {
        status: 201,
        description: 'The organization and its first key.',
        content: json(createdOrganizationSchema),
      },
    ],
    problems: PROBLEMS_OF_BODIES,
  },
]);
