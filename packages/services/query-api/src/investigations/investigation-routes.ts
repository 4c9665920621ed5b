import { investigationItemSchema } from '@tidewatch/contracts/investigations/investigation';
import type { INVESTIGATION_ROUTES } from '@tidewatch/contracts/investigations/investigation-routes';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import type { Transaction } from '@tidewatch/database/connection';
import { cancelInvestigation, rateInvestigation } from '@tidewatch/store/investigations/act';
import {
  exportInvestigations,
  INVESTIGATION_ORDERS,
  listInvestigations,
  readInvestigation,
} from '@tidewatch/store/investigations/list';
import { requestInvestigation } from '@tidewatch/store/investigations/request';
import type { Call } from '../http/call.ts';
import { sendTagged } from '../http/entity-tag.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import { type List, sendList } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { answerObject, found } from '../http/object-answer.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { readRequested } from './requested.ts';

const LIST: List<keyof typeof INVESTIGATION_ORDERS> = {
  noun: 'investigations',
  orders: INVESTIGATION_ORDERS,
  usual: { field: 'created_at', descending: true },
};
/** The max number of requested investigations of one organization that may wait. */
const MAX_WAITING = 50;
/** The Retry-After of a refused request, since a run takes some seconds. */
const RETRY_AFTER_SECONDS = 5;

/** The routes of `/api/v1/investigations`. */
export function createInvestigationHandlers(
  options: QueryApiOptions,
  exporter: Exporter,
): Handlers<typeof INVESTIGATION_ROUTES> {
  const { sql, newId, config } = options;
  return {
    async listInvestigations(call) {
      const { query, organizationId, request, response } = call;
      const { sort = LIST.usual, fields } = query;
      const format = formatOf(request, response, query.format);
      if (format !== 'json') {
        const order = { ...INVESTIGATION_ORDERS[sort.field], descending: sort.descending };
        const rows = (tx: Transaction) => exportInvestigations(tx, organizationId, query, order);
        const { shape } = investigationItemSchema;
        return exporter.send(request, response, { format, shape, fields, rows });
      }
      await sendList(call, LIST, query, (window, order) =>
        listInvestigations(sql, organizationId, query, order, window),
      );
    },

    async requestInvestigation(call) {
      const input = await call.body();
      const act = { ...call.change(options), id: newId('inv') };
      const record = await sql.begin(async (tx) => {
        const requested = await readRequested(tx, act.organizationId, input, act.now);
        return requestInvestigation(tx, { ...act, ...requested }, MAX_WAITING);
      });
      if (record === null)
        throw new ProblemError('investigations_queued', {
          headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
        });
      call.response.location(pathOf('getInvestigation', record.id));
      sendTagged(call.request, call.response, record, null);
    },

    getInvestigation: answerObject(({ organizationId }, id) => readInvestigation(sql, organizationId, id)),

    async cancelInvestigation(call) {
      const act = { id: call.id, ...call.change(options) };
      const { consoleUrl: publicUrl } = config;
      const cancelled = await sql.begin((tx) =>
        cancelInvestigation(tx, { ...act, eventId: newId('evt'), publicUrl }),
      );
      if (cancelled === 'not_found') throw new ProblemError('not_found');
      if (cancelled === 'over')
        throw new ProblemError('conflict', { detail: 'The investigation has ended already.' });
      await answer(call, act.id);
    },

    async rateInvestigation(call) {
      const act = { id: call.id, ...call.change(options) };
      const feedback = await call.body();
      const rated = await sql.begin((tx) => rateInvestigation(tx, act, feedback));
      found(rated ? act : null);
      await answer(call, act.id);
    },
  };

  async function answer(
    { organizationId, request, response }: Pick<Call, 'organizationId' | 'request' | 'response'>,
    id: string,
  ): Promise<void> {
    sendTagged(request, response, found(await readInvestigation(sql, organizationId, id)), null);
  }
}
