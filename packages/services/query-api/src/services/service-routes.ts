import { type ServicesQuery, servicesQuerySchema } from '@tidewatch/contracts/services/service';
import { deleteService } from '@tidewatch/store/queries/service-delete';
import { readService } from '@tidewatch/store/queries/service-detail';
import { groupServices } from '@tidewatch/store/queries/service-groups';
import { listServices } from '@tidewatch/store/queries/service-list';
import type { Request, Response, Router } from 'express';
import { paginate, readWindow } from '../http/list-page.ts';
import { found, idOf, organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../service.ts';
import { PipelineDelay } from './pipeline-delay.ts';
import { answerSeries } from './series-route.ts';

/** `/api/v1/services` and what lies below it. */
export function addServiceRoutes(router: Router, options: QueryApiOptions): void {
  const { sql, authenticate, clock, newId } = options;
  const delay = new PipelineDelay(sql, clock);

  router.get('/api/v1/services', authenticate('read'), async (request: Request, response: Response) => {
    const { limit, offset, cursor, group_by: tag, ...filter } = queryOf(request, servicesQuerySchema);
    const answer = tag === undefined ? list : group(tag);
    response.json(await answer(organizationOf(response), filter, { limit, offset, cursor }));
  });

  router.get('/api/v1/services/:id', authenticate('read'), async (request: Request, response: Response) => {
    const id = idOf(request, 'svc');
    const organizationId = organizationOf(response);
    const service = found(await readService(sql, organizationId, id, clock()));
    response.json((await delay.mark(organizationId, [service]))[0]);
  });

  router.get(
    '/api/v1/services/:id/metrics',
    authenticate('read'),
    async (request: Request, response: Response) => {
      await answerSeries(options, request, response);
    },
  );

  router.delete(
    '/api/v1/services/:id',
    authenticate('write'),
    async (request: Request, response: Response) => {
      const id = idOf(request, 'svc');
      const write = { organizationId: organizationOf(response), id, eventId: newId('evt'), now: clock() };
      const deleted = await sql.begin((tx) => deleteService(tx, write));
      found(deleted ? write : null);
      response.status(204).end();
    },
  );

  type Filter = Pick<ServicesQuery, 'status' | 'q' | 'tag'>;
  type Page = Pick<ServicesQuery, 'limit' | 'offset' | 'cursor'>;

  async function list(organizationId: string, filter: Filter, page: Page) {
    const context = { list: 'services', filters: filter, shape: ['string', 'string'] as const };
    const window = readWindow<readonly [string, string]>(page, context);
    const part = await listServices(sql, organizationId, filter, window);
    const { rows, pagination } = paginate(part, window, context, (service) => [service.name, service.id]);
    return { services: await delay.mark(organizationId, rows), pagination };
  }

  function group(tag: string) {
    return async (organizationId: string, filter: Filter, page: Page) => {
      const filters = { ...filter, group_by: tag };
      const context = { list: 'service-groups', filters, shape: ['number', 'string'] as const };
      const window = readWindow<readonly [number, string]>(page, context);
      const part = await groupServices(sql, organizationId, tag, filter, window);
      const { rows, pagination } = paginate(part, window, context, ({ value }) => [
        value === null ? 1 : 0,
        value ?? '',
      ]);
      return { groups: rows, pagination };
    };
  }
}
