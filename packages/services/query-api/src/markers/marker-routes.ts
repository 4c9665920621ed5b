import { markerInputSchema, markerSchema, markersQuerySchema } from '@tidewatch/contracts/markers/marker';
import { DAY_MS } from '@tidewatch/contracts/values/duration';
import { pickFields } from '@tidewatch/contracts/values/fields';
import { type Fault, validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
import { listMarkers, MARKER_ORDERS, readMarker } from '@tidewatch/store/markers/list';
import { deleteMarker, insertMarker } from '@tidewatch/store/markers/write';
import type { Request, Response } from 'express';
import { sendTagged } from '../http/entity-tag.ts';
import { readJson } from '../http/json-body.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { actorOf, auditTrailOf, fieldsOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const LIST: List<keyof typeof MARKER_ORDERS> = {
  noun: 'markers',
  orders: MARKER_ORDERS,
  usual: { field: 'at', descending: true },
};
/** How far in the future a marker may be, ms. */
const AHEAD_MS = DAY_MS;

/** The routes of `/api/v1/markers`. */
export function createMarkerHandlers({ sql, clock, newId, config }: QueryApiOptions): Handlers {
  return {
    async listMarkers(request, response) {
      const query = queryOf(request, markersQuerySchema);
      await answerList(request, response, LIST, query, (window, order) =>
        listMarkers(sql, organizationOf(response), query, order, window),
      );
    },

    async createMarker(request, response) {
      const checked = check(markerInputSchema, await readJson(request, ['application/json']), 'body');
      if ('errors' in checked) throw validationProblem(checked.errors);
      const write = writeOf(request, response, newId('mrk'));
      const { at = write.now } = checked.value;
      if (at > write.now + AHEAD_MS) throw validationProblem([TOO_FAR_AHEAD]);
      const marker = await sql.begin((tx) =>
        insertMarker(
          tx,
          { ...write, maxMarkers: config.limits.markersLimit },
          { ...checked.value, at },
          actorOf(response),
        ),
      );
      response.location(pathOf('getMarker', marker.id));
      sendTagged(request, response, marker, null);
    },

    async getMarker(request, response) {
      const id = idOf(request, 'mrk');
      const fields = fieldsOf(request, markerSchema.shape);
      const marker = found(await readMarker(sql, organizationOf(response), id));
      sendTagged(request, response, pickFields(marker, fields), null);
    },

    async deleteMarker(request, response) {
      const write = writeOf(request, response, idOf(request, 'mrk'));
      const deleted = await sql.begin((tx) => deleteMarker(tx, write));
      found(deleted ? write : null);
      response.end();
    },
  };

  function writeOf(request: Request, response: Response, id: string) {
    const now = clock();
    return {
      organizationId: organizationOf(response),
      id,
      now,
      audit: auditTrailOf(request, response, { now, newId, config }),
    };
  }
}

const TOO_FAR_AHEAD: Fault = {
  in: 'body',
  path: '/at',
  code: 'out_of_range',
  message: 'Must be at most 24 hours ahead.',
};
