import type { MARKER_ROUTES } from '@tidewatch/contracts/markers/marker-routes';
import { faultProblem } from '@tidewatch/contracts/problems/problem';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import { listMarkers, MARKER_ORDERS, readMarker } from '@tidewatch/store/markers/list';
import { deleteMarker, insertMarker } from '@tidewatch/store/markers/write';
import { sendTagged } from '../http/entity-tag.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { answerObject, found } from '../http/object-answer.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const LIST: List<keyof typeof MARKER_ORDERS> = {
  noun: 'markers',
  orders: MARKER_ORDERS,
  usual: { field: 'at', descending: true },
};
/** How far in the future a marker may be, ms. */
const AHEAD_MS = DAY_MS;

/** The routes of `/api/v1/markers`. */
export function createMarkerHandlers(options: QueryApiOptions): Handlers<typeof MARKER_ROUTES> {
  const { sql, newId, config } = options;
  return {
    listMarkers: answerList(LIST, ({ organizationId }, query, window, order) =>
      listMarkers(sql, organizationId, query, order, window),
    ),

    async createMarker(call) {
      const input = await call.body();
      const { actor, ...change } = call.change(options);
      const { at = change.now } = input;
      if (at > change.now + AHEAD_MS)
        throw faultProblem('body', '/at', 'out_of_range', 'Must be at most 24 hours ahead.');
      const write = { ...change, id: newId('mrk'), maxMarkers: config.limits.markersLimit };
      const marker = await sql.begin((tx) => insertMarker(tx, write, { ...input, at }, actor));
      call.response.location(pathOf('getMarker', marker.id));
      sendTagged(call.request, call.response, marker, null);
    },

    getMarker: answerObject(({ organizationId }, id) => readMarker(sql, organizationId, id)),

    async deleteMarker(call) {
      const { id } = call;
      const write = { ...call.change(options), id };
      const deleted = await sql.begin((tx) => deleteMarker(tx, write));
      found(deleted ? write : null);
    },
  };
}
