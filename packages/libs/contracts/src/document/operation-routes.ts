import { z } from 'zod';
import { PROBLEM_CODES } from '../problems/problem-codes.ts';
import { livenessSchema, readinessSchema } from '../services/health.ts';
import { json } from './answers.ts';
import { type Content, defineRoutes, type Route } from './route.ts';

const JSON_TYPE = 'application/json';

const PAGE: Content = {
  type: 'text/html',
  schema: null,
  examples: { page: { summary: 'Its beginning', value: '<!doctype html>' } },
};

/** The routes of every process that need no key. */
export const HEALTH_ROUTES: readonly Route[] = defineRoutes('Operations', [
  {
    operationId: 'getLiveness',
    method: 'get',
    path: '/healthz',
    summary: 'Whether the process lives',
    scope: null,
    answers: [{ status: 200, description: 'It does.', content: json(livenessSchema) }],
    problems: [],
  },
  {
    operationId: 'getReadiness',
    method: 'get',
    path: '/readyz',
    summary: 'Whether the process can do its work',
    scope: null,
    answers: [
      { status: 200, description: 'It can.', content: json(readinessSchema) },
      {
        status: 503,
        description: 'It cannot; `reasons` say why.',
        content: json(readinessSchema),
      },
    ],
    problems: [],
  },
  {
    operationId: 'getProcessMetrics',
    method: 'get',
    path: '/metrics',
    summary: 'Metrics of the process itself, for Prometheus',
    description:
      'In the distributed topology every process answers on a port of its own, and nothing is here.',
    scope: null,
    answers: [
      {
        status: 200,
        description: 'Prometheus text.',
        content: {
          type: 'text/plain',
          schema: null,
          examples: {
            memory: { summary: 'A line of many', value: 'process_resident_memory_bytes 142606336\n' },
          },
        },
      },
    ],
    problems: ['not_found'],
  },
]);

/** The routes of the documentation, which query APIs serve without a key. */
export const DOCUMENTATION_ROUTES: readonly Route[] = defineRoutes('Operations', [
  {
    operationId: 'getDocument',
    method: 'get',
    path: '/openapi.json',
    summary: 'This document',
    scope: null,
    answers: [
      {
        status: 200,
        description: 'An OpenAPI 3.1 document.',
        content: {
          type: JSON_TYPE,
          schema: z.looseObject({ openapi: z.string().meta({ examples: ['3.1.0'] }) }),
        },
      },
    ],
    problems: [],
  },
  {
    operationId: 'readDocumentation',
    method: 'get',
    path: '/docs',
    summary: 'This document as a page',
    scope: null,
    answers: [{ status: 200, description: 'A page.', content: PAGE }],
    problems: [],
  },
  {
    operationId: 'listProblems',
    method: 'get',
    path: '/problems',
    summary: 'Every code of a problem',
    scope: null,
    answers: [{ status: 200, description: 'A page.', content: PAGE }],
    problems: [],
  },
  {
    operationId: 'readProblem',
    method: 'get',
    path: '/problems/{code}',
    summary: 'What a problem means',
    scope: null,
    parameters: z.object({ code: z.enum(PROBLEM_CODES).meta({ description: '`code` of a problem.' }) }),
    answers: [{ status: 200, description: 'A page.', content: PAGE }],
    problems: ['not_found'],
  },
]);
