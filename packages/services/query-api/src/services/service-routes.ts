import { type Service, type ServicesQuery, serviceSchema } from '@tidewatch/contracts/services/service';
import type { SERVICE_ROUTES } from '@tidewatch/contracts/services/service-routes';
import type { ServiceSnapshot } from '@tidewatch/contracts/services/service-snapshot';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import { readPartsAt } from '@tidewatch/store/parts/parts-at';
import { deleteService } from '@tidewatch/store/services/delete';
import { readService } from '@tidewatch/store/services/detail';
import { groupServices } from '@tidewatch/store/services/groups';
import { findHost } from '@tidewatch/store/services/host';
import { exportServices, listServices, SERVICE_ORDERS } from '@tidewatch/store/services/list';
import { listServicesAsOf } from '@tidewatch/store/services/list-as-of';
import { readSnapshotAt } from '@tidewatch/store/services/snapshot-at';

import { requireWithinReach } from '../http/as-of.ts';
import { sendTagged } from '../http/entity-tag.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import { type List, sendList } from '../http/list-answer.ts';
import { paginate, readWindow } from '../http/list-page.ts';
import type { Handlers } from '../http/mount-routes.ts';
import { answerObject, found } from '../http/object-answer.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';
import { createChangesHandler } from './changes-route.ts';
import { createGroupUsageCache } from './group-usage-cache.ts';
import { PipelineDelay } from './pipeline-delay.ts';
import { createSeriesHandler } from './series-route.ts';
import { createSnapshotHandler } from './snapshot/snapshot-route.ts';

const LIST: List<keyof typeof SERVICE_ORDERS> = {
  noun: 'services',
  orders: SERVICE_ORDERS,
  usual: { field: 'name', descending: false },
};

/** Handlers of `/api/v1/services` and the paths below. */
export function createServiceHandlers(
  options: QueryApiOptions,
  exporter: Exporter,
  queries: OrganizationShare,
): Handlers<typeof SERVICE_ROUTES> {
  const { sql, clock, newId } = options;
  const delay = new PipelineDelay(sql, clock);
  const usage = createGroupUsageCache(sql);

  return {
    async listServices(call) {
      const { request, response, organizationId } = call;
      const { group_by: tag, ...query } = call.query;
      if (tag !== undefined)
        return sendTagged(request, response, await group(organizationId, tag, query), null);
      const { as_of: asOf, sort = LIST.usual, fields } = query;
      const format = formatOf(request, response, query.format);
      if (format !== 'json') {
        const order = { ...SERVICE_ORDERS[sort.field], descending: sort.descending };
        const rows = (tx: Transaction) =>
          marked(organizationId, exportServices(tx, organizationId, query, order));
        return exporter.send(request, response, { format, shape: serviceSchema.shape, fields, rows });
      }
      if (asOf !== undefined) requireWithinReach(asOf, clock());
      await sendList(call, LIST, query, async (window, order) => {
        if (asOf !== undefined) return listServicesAsOf(sql, organizationId, query, asOf, order, window);
        const part = await listServices(sql, organizationId, query, order, window);
        return { ...part, rows: await delay.mark(organizationId, part.rows) };
      });
    },

    getService: answerObject(async ({ organizationId }, id) => {
      const service = await readService(sql, organizationId, id, clock());
      if (service === null) return null;
      const [marked = service] = await delay.mark(organizationId, [service]);
      return marked;
    }),

    getFleetSnapshot: createSnapshotHandler(options),

    getServiceMetrics: createSeriesHandler(options, exporter, queries),

    listServiceChanges: createChangesHandler(options),

    async getServiceSnapshot(call) {
      const { id, query, organizationId, request, response } = call;
      const at = query.at ?? clock();
      const host = found(await findHost(sql, organizationId, id));
      const [{ processes, containers }, parts] = await Promise.all([
        readSnapshotAt(sql, organizationId, id, at),
        readPartsAt(sql, organizationId, id, at),
      ]);
      const answer: ServiceSnapshot = {
        service_id: id,
        host,
        at: toIso(at),
        processes: withIsoTime(processes),
        containers: withIsoTime(containers),
        parts: withIsoTime(parts),
      };
      sendTagged(request, response, answer, null);
    },

    async deleteService(call) {
      const { id } = call;
      const write = { ...call.change(options), id, eventId: newId('evt') };
      const deleted = await sql.begin((tx) => deleteService(tx, write));
      found(deleted ? write : null);
    },
  };

  async function* marked(organizationId: string, portions: AsyncIterable<Service[]>) {
    for await (const services of portions) yield await delay.mark(organizationId, services);
  }

  async function group(organizationId: string, tag: string, query: Omit<ServicesQuery, 'group_by'>) {
    const { status, q, tag: tags, limit, offset, cursor } = query;
    const filter = { status, q, tag: tags };
    const filters = { ...filter, group_by: tag };
    const context = { list: 'service-groups', filters, shape: ['number', 'string'] as const };
    const window = readWindow<readonly [number, string]>({ limit, offset, cursor }, context);
    const part = await groupServices(sql, organizationId, tag, filter, window, usage);
    const { rows, pagination } = paginate(part, window, context, ({ value }) => [
      value === null ? 1 : 0,
      value ?? '',
    ]);
    return { groups: rows, pagination };
  }
}

function withIsoTime<List>({ time, list }: { time: number | null; list: List }) {
  return { time: time === null ? null : toIso(time), list };
}
