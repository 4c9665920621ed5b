import { created, json, readable } from '../document/answers.ts';
import {
  defineRoutes,
  fieldsOnly,
  idParameter,
  ifNoneMatchHeader,
  PROBLEMS_OF_BODIES,
} from '../document/route.ts';
import {
  MARKER_EXAMPLE,
  markerInputSchema,
  markerSchema,
  markersPageSchema,
  markersQuerySchema,
} from './marker.ts';

/** The routes of markers, which are created and deleted, and never edited. */
export const MARKER_ROUTES = defineRoutes([
  {
    operationId: 'listMarkers',
    method: 'get',
    path: '/api/v1/markers',
    tag: 'Markers',
    summary: 'List markers',
    scope: 'read',
    query: markersQuerySchema,
    headers: ifNoneMatchHeader,
    answers: readable('A page of markers.', markersPageSchema),
    problems: ['validation_failed'],
  },
  {
    operationId: 'createMarker',
    method: 'post',
    path: '/api/v1/markers',
    tag: 'Markers',
    summary: 'Set a marker',
    description:
      'To be called by whatever deploys, restarts or reconfigures. Investigations of the hosts that `selector` ' +
      'chooses look at what was marked shortly before the trouble began.',
    scope: 'write',
    body: [json(markerInputSchema, { deployment: { summary: 'A deployment', value: MARKER_EXAMPLE } })],
    answers: [created('The marker as it is stored.', markerSchema, 'getMarker', 'deleteMarker')],
    problems: [...PROBLEMS_OF_BODIES],
  },
  {
    operationId: 'getMarker',
    method: 'get',
    path: '/api/v1/markers/{id}',
    tag: 'Markers',
    summary: 'Read a marker',
    scope: 'read',
    parameters: idParameter('mrk', 'marker'),
    query: fieldsOnly(markerSchema.shape),
    headers: ifNoneMatchHeader,
    answers: readable('The marker.', markerSchema),
    problems: ['not_found', 'validation_failed'],
  },
  {
    operationId: 'deleteMarker',
    method: 'delete',
    path: '/api/v1/markers/{id}',
    tag: 'Markers',
    summary: 'Take a marker away',
    description: 'Investigations that have named it already go on doing so.',
    scope: 'write',
    parameters: idParameter('mrk', 'marker'),
    answers: [{ status: 204, description: 'The marker is gone.' }],
    problems: ['not_found'],
  },
]);
