import type { AUDIT_ROUTES } from '@tidewatch/contracts/audit/audit-routes';
import { listAudit } from '@tidewatch/store/audit/list';

import { pageByTime } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** `/api/v1/audit`, which is read-only. */
export function createAuditHandlers({ sql }: QueryApiOptions): Handlers<typeof AUDIT_ROUTES> {
  return {
    async listAudit({ query, organizationId, response }) {
      const { limit, offset, cursor, ...filters } = query;
      const page = await pageByTime(query, { noun: 'audit', time: 'at' }, (window) =>
        listAudit(sql, organizationId, filters, window),
      );
      response.json(page);
    },
  };
}
