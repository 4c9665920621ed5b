import { auditQuerySchema } from '@tidewatch/contracts/audit/audit';
import { listAudit } from '@tidewatch/store/audit/list';

import { paginate, readWindow } from '../http/list-page.ts';
import type { Handlers } from '../http/mount-routes.ts';
import { organizationOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** `/api/v1/audit`, which is read-only. */
export function createAuditHandlers({ sql }: QueryApiOptions): Handlers {
  return {
    async listAudit(request, response) {
      const { limit, offset, cursor, ...filters } = queryOf(request, auditQuerySchema);
      const context = { list: 'audit', filters, shape: ['number', 'string'] as const };
      const window = readWindow<readonly [number, string]>({ limit, offset, cursor }, context);
      const part = await listAudit(sql, organizationOf(response), filters, window);
      const { rows, pagination } = paginate(part, window, context, (record) => [
        Date.parse(record.at),
        record.id,
      ]);
      response.json({ audit: rows, pagination });
    },
  };
}
