import { auditQuerySchema } from '@tidewatch/contracts/audit/audit';
import { listAudit } from '@tidewatch/store/audit/list';
import type { Request, Response, Router } from 'express';
import { paginate, readWindow } from '../http/list-page.ts';
import { organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** `/api/v1/audit`, which is only read. */
export function addAuditRoutes(router: Router, { sql, authenticate }: QueryApiOptions): void {
  router.get('/api/v1/audit', authenticate('admin'), async (request: Request, response: Response) => {
    const { limit, offset, cursor, ...filters } = queryOf(request, auditQuerySchema);
    const context = { list: 'audit', filters, shape: ['number', 'string'] as const };
    const window = readWindow<readonly [number, string]>({ limit, offset, cursor }, context);
    const part = await listAudit(sql, organizationOf(response), filters, window);
    const { rows, pagination } = paginate(part, window, context, (record) => [
      Date.parse(record.at),
      record.id,
    ]);
    response.json({ audit: rows, pagination });
  });
}
