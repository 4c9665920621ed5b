import { z } from 'zod';
import { json } from '../document/answers.ts';
import { deletes, pagesOrExports, reads, readsOf } from '../document/operations.ts';
import {
  defineRoutes,
  etagHeaders,
  fieldsOnly,
  idParameter,
  ifNoneMatchHeader,
  linksById,
  NOT_MODIFIED,
} from '../document/route.ts';
import { EXPORT_CONTENT } from '../queries/export.ts';
import { fleetSnapshotQuerySchema, fleetSnapshotSchema, MAX_SNAPSHOT_HOSTS } from './fleet-snapshot.ts';
import { seriesAnswerSchema, seriesQuerySchema } from './series.ts';
import {
  serviceDetailSchema,
  serviceGroupsPageSchema,
  servicesPageSchema,
  servicesQuerySchema,
} from './service.ts';
import { serviceChangesQuerySchema, serviceChangesSchema } from './service-changes.ts';
import { serviceSnapshotQuerySchema, serviceSnapshotSchema } from './service-snapshot.ts';

/** The routes of services and their series. */
export const SERVICE_ROUTES = defineRoutes('Services', [
  {
    ...pagesOrExports(
      servicesQuerySchema,
      'A page of services, or with `group_by` of groups.',
      z.union([servicesPageSchema, serviceGroupsPageSchema]),
    ),
    operationId: 'listServices',
    path: '/api/v1/services',
    summary: 'List services, or groups of them',
    description: 'Services by name; with `group_by`, a row for each value of a tag.',
  },
  {
    ...reads(fleetSnapshotQuerySchema, 'The snapshot.', fleetSnapshotSchema),
    operationId: 'getFleetSnapshot',
    path: '/api/v1/services/snapshot',
    summary: 'Read all services at once, or what has changed',
    description: `Every service that is not archived, as columns by name: ten thousand are some 360 KB compressed. With \`since\` only those that have changed; a service may be repeated unchanged. Services are read at most once a second for all requests of an organization, and at most ${MAX_SNAPSHOT_HOSTS} of them.`,
    problems: ['validation_failed', 'unsupported'],
  },
  {
    operationId: 'getService',
    method: 'get',
    path: '/api/v1/services/{id}',
    summary: 'Read a service',
    scope: 'read',
    parameters: idParameter('svc', 'service'),
    query: fieldsOnly(serviceDetailSchema.shape),
    headers: ifNoneMatchHeader,
    answers: [
      {
        status: 200,
        description: 'The service.',
        content: json(serviceDetailSchema),
        headers: etagHeaders,
        links: linksById('getServiceMetrics', 'getServiceSnapshot', 'listServiceChanges', 'deleteService'),
      },
      NOT_MODIFIED,
    ],
    problems: ['not_found', 'validation_failed'],
  },
  {
    ...deletes('svc', 'service', 'The service is deleted.'),
    operationId: 'deleteService',
    path: '/api/v1/services/{id}',
    summary: 'Delete a service',
    description:
      'It leaves every answer at once and its data ages out. If it reports again, it is a new service.',
  },
  {
    operationId: 'getServiceMetrics',
    method: 'get',
    path: '/api/v1/services/{id}/metrics',
    summary: "Read a service's metrics over time",
    description:
      'At most 11,000 steps; the finest data that is kept for the range and suits the step is chosen.',
    scope: 'read',
    parameters: idParameter('svc', 'service'),
    query: seriesQuerySchema,
    answers: [
      {
        status: 200,
        description: 'The series.',
        content: [json(seriesAnswerSchema), ...EXPORT_CONTENT],
      },
    ],
    problems: ['not_found', 'validation_failed', 'export_running'],
  },
  {
    ...readsOf(
      'svc',
      'service',
      serviceSnapshotQuerySchema,
      'The processes, containers and parts.',
      serviceSnapshotSchema,
    ),
    operationId: 'getServiceSnapshot',
    path: '/api/v1/services/{id}/snapshots',
    summary: "Read a service's processes, containers and parts at a time",
    description:
      'Of the newest payloads at or before that time. Processes and containers are kept for 48 hours and parts as long as raw samples, unless the installation sets other times.',
  },
  {
    ...readsOf('svc', 'service', serviceChangesQuerySchema, 'The changes.', serviceChangesSchema),
    operationId: 'listServiceChanges',
    path: '/api/v1/services/{id}/changes',
    summary: 'List what changed about a service',
    description:
      'Markers that select the host, changes of its tags, and rules of its scope that were created or edited; of each kind the newest 200 of the range at most. Investigations read the same.',
  },
]);
