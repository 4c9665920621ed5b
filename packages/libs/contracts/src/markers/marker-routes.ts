import {
  createdHeaders,
  etagHeaders,
  fieldsOnly,
  idParameter,
  ifNoneMatchHeader,
  linksById,
  NOT_MODIFIED,
  PROBLEMS_OF_BODIES,
  type Route,
} from '../document/route.ts';
import {
  MARKER_EXAMPLE,
  markerInputSchema,
  markerSchema,
  markersPageSchema,
  markersQuerySchema,
} from './marker.ts';

const JSON_TYPE = 'application/json';

/** Markers are set and taken away, and never edited. */
export const MARKER_ROUTES: readonly Route[] = [
  {
    operationId: 'listMarkers',
    method: 'get',
    path: '/api/v1/markers',
    tag: 'Markers',
    summary: 'List markers',
    scope: 'read',
    query: markersQuerySchema,
    headers: ifNoneMatchHeader,
    answers: [
      {
        status: 200,
        description: 'A page of markers.',
        content: { type: JSON_TYPE, schema: markersPageSchema },
        headers: etagHeaders,
      },
      NOT_MODIFIED,
    ],
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
    body: [
      {
        type: JSON_TYPE,
        schema: markerInputSchema,
        examples: { deployment: { summary: 'A deployment', value: MARKER_EXAMPLE } },
      },
    ],
    answers: [
      {
        status: 201,
        description: 'The marker as it is stored.',
        content: { type: JSON_TYPE, schema: markerSchema },
        headers: createdHeaders,
        links: linksById('getMarker', 'deleteMarker'),
      },
    ],
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
    answers: [
      {
        status: 200,
        description: 'The marker.',
        content: { type: JSON_TYPE, schema: markerSchema },
        headers: etagHeaders,
      },
      NOT_MODIFIED,
    ],
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
];
