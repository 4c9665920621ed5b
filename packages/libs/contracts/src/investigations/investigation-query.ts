import { z } from 'zod';
import { formatQuery } from '../queries/export.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery } from '../queries/page.ts';
import { idQuery, textQuery, timeQuery, windowInOrder } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { SEVERITIES } from '../values/severity.ts';
import { CONCLUSIONS, INVESTIGATION_STATUSES, investigationItemSchema } from './investigation.ts';

/** The query of the list of investigations. `from` and `to` are ms, by `created_at`, `[from, to)`. */
export const investigationsQuerySchema = z
  .object({
    ...pageQuery,
    status: z
      .enum(INVESTIGATION_STATUSES)
      .optional()
      .meta({ description: 'Only investigations of this status.' }),
    conclusion: z
      .enum(CONCLUSIONS)
      .optional()
      .meta({ description: 'Only completed investigations that concluded so.' }),
    severity: z
      .enum(SEVERITIES)
      .optional()
      .meta({ description: 'Only investigations whose worst alert is of this severity.' }),
    service_id: idQuery(255, 'Only investigations of this service.'),
    host: textQuery(255, 'Only investigations of this host.'),
    alert_id: idQuery(255, 'Only investigations that are about this alert.'),
    from: timeQuery('Only investigations that were created at or after this time.'),
    to: timeQuery('Only investigations that were created before this time.'),
    format: formatQuery,
    sort: sortQuery(['created_at'], '-created_at'),
    fields: fieldsQuery(investigationItemSchema.shape),
  })
  .check(cursorOrOffset)
  .check(windowInOrder);

export type InvestigationsQuery = z.output<typeof investigationsQuerySchema>;
