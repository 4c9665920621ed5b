import { feedbackInputSchema } from '@tidewatch/contracts/investigations/analysis';
import {
  investigationItemSchema,
  investigationSchema,
} from '@tidewatch/contracts/investigations/investigation';
import {
  type InvestigationsQuery,
  investigationsQuerySchema,
} from '@tidewatch/contracts/investigations/investigation-query';
import { pickFields } from '@tidewatch/contracts/values/fields';
import { ProblemError, validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
import type { Transaction } from '@tidewatch/store/database/connection';
import { cancelInvestigation, rateInvestigation } from '@tidewatch/store/investigations/act';
import {
  exportInvestigations,
  INVESTIGATION_ORDERS,
  type InvestigationFilter,
  listInvestigations,
  readInvestigation,
} from '@tidewatch/store/investigations/list';
import { requestInvestigation } from '@tidewatch/store/investigations/request';
import type { Request, Response } from 'express';
import { sendTagged } from '../http/entity-tag.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import { readJson } from '../http/json-body.ts';
import { answerList, type List } from '../http/list-answer.ts';
import { type Handlers, pathOf } from '../http/mount-routes.ts';
import { actorOf, auditTrailOf, fieldsOf, found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { readRequested } from './requested.ts';

const LIST: List<keyof typeof INVESTIGATION_ORDERS> = {
  noun: 'investigations',
  orders: INVESTIGATION_ORDERS,
  usual: { field: 'created_at', descending: true },
};
/** Maximum number of requested investigations that wait, of one organization. */
const MAX_WAITING = 50;
/** A run takes some seconds. */
const RETRY_AFTER_SECONDS = 5;

/** The routes of `/api/v1/investigations`. */
export function createInvestigationHandlers(
  { sql, clock, newId, config }: QueryApiOptions,
  exporter: Exporter,
): Handlers {
  return {
    async listInvestigations(request, response) {
      const query = queryOf(request, investigationsQuerySchema);
      const organizationId = organizationOf(response);
      const { sort = LIST.usual, fields } = query;
      const filter = filterOf(query);
      const format = formatOf(request, response, query.format);
      if (format !== 'json') {
        const order = { ...INVESTIGATION_ORDERS[sort.field], descending: sort.descending };
        const rows = (tx: Transaction) => exportInvestigations(tx, organizationId, filter, order);
        const { shape } = investigationItemSchema;
        return exporter.send(request, response, { format, shape, fields, rows });
      }
      await answerList(request, response, LIST, query, (window, order) =>
        listInvestigations(sql, organizationId, filter, order, window),
      );
    },

    async requestInvestigation(request, response) {
      const body = await readJson(request, ['application/json']);
      const act = actOf(request, response, newId('inv'));
      const record = await sql.begin(async (tx) => {
        const requested = await readRequested(tx, act.organizationId, body, act.now);
        return requestInvestigation(tx, { ...act, ...requested }, MAX_WAITING);
      });
      if (record === null)
        throw new ProblemError('investigations_queued', {
          headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` },
        });
      response.location(pathOf('getInvestigation', record.id));
      sendTagged(request, response, record, null);
    },

    async getInvestigation(request, response) {
      const id = idOf(request, 'inv');
      const fields = fieldsOf(request, investigationSchema.shape);
      const record = found(await readInvestigation(sql, organizationOf(response), id));
      sendTagged(request, response, pickFields(record, fields), null);
    },

    async cancelInvestigation(request, response) {
      const act = actOf(request, response, idOf(request, 'inv'));
      const publicUrl = config.publicUrl;
      const cancelled = await sql.begin((tx) =>
        cancelInvestigation(tx, { ...act, eventId: newId('evt'), publicUrl }),
      );
      if (cancelled === 'not_found') throw new ProblemError('not_found');
      if (cancelled === 'over')
        throw new ProblemError('conflict', { detail: 'The investigation has ended already.' });
      await answer(request, response, act.id);
    },

    async rateInvestigation(request, response) {
      const act = actOf(request, response, idOf(request, 'inv'));
      const checked = check(feedbackInputSchema, await readJson(request, ['application/json']), 'body');
      if ('errors' in checked) throw validationProblem(checked.errors);
      const rated = await sql.begin((tx) => rateInvestigation(tx, act, checked.value));
      found(rated ? act : null);
      await answer(request, response, act.id);
    },
  };

  async function answer(request: Request, response: Response, id: string): Promise<void> {
    sendTagged(request, response, found(await readInvestigation(sql, organizationOf(response), id)), null);
  }

  function actOf(request: Request, response: Response, id: string) {
    const now = clock();
    const audit = auditTrailOf(request, response, { now, newId, config });
    return { organizationId: organizationOf(response), id, now, audit, actor: actorOf(response) };
  }
}

function filterOf(query: InvestigationsQuery): InvestigationFilter {
  const { status, conclusion, severity, service_id: serviceId, host, alert_id: alertId, from, to } = query;
  return { status, conclusion, severity, serviceId, host, alertId, from, to };
}
