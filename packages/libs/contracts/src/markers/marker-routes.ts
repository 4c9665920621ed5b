import { created, json } from '../document/answers.ts';
import { deletes, reads, readsById } from '../document/operations.ts';
import { defineRoutes, PROBLEMS_OF_BODIES } from '../document/route.ts';
import {
  MARKER_EXAMPLE,
  markerInputSchema,
  markerSchema,
  markersPageSchema,
  markersQuerySchema,
} from './marker.ts';

/** The routes of markers, which are created and deleted, and never edited. */
export const MARKER_ROUTES = defineRoutes('Markers', [
  {
    ...reads(markersQuerySchema, 'A page of markers.', markersPageSchema),
    operationId: 'listMarkers',
    path: '/api/v1/markers',
    summary: 'List markers',
  },
  {
    operationId: 'createMarker',
    method: 'post',
    path: '/api/v1/markers',
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
    ...readsById('mrk', 'marker', 'The marker.', markerSchema),
    operationId: 'getMarker',
    path: '/api/v1/markers/{id}',
    summary: 'Read a marker',
  },
  {
    ...deletes('mrk', 'marker', 'The marker is gone.'),
    operationId: 'deleteMarker',
    path: '/api/v1/markers/{id}',
    summary: 'Take a marker away',
    description: 'Investigations that have named it already go on doing so.',
  },
]);
