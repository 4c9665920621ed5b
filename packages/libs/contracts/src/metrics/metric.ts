import { z } from 'zod';
import { BOUNDS } from '../ingest/sample.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { textQuery } from '../queries/query.ts';
import { sortQuery } from '../queries/sort.ts';
import { unitSchema } from '../values/unit-schema.ts';

export const metricSchema = z
  .object({
    name: z.string().meta({ examples: ['cpu_percent'] }),
    unit: unitSchema,
    services: z
      .int()
      .positive()
      .meta({ description: 'How many services report it.', examples: [1200] }),
  })
  .meta({ id: 'Metric', description: 'A metric that hosts report, of themselves or of their parts.' });

export type Metric = z.infer<typeof metricSchema>;

export const metricsPageSchema = z
  .object({ metrics: z.array(metricSchema), pagination: paginationSchema })
  .meta({ id: 'MetricsPage', description: 'Metrics by name.' });

/** The query of the list of metrics; `q` is a literal part of the name, case-insensitive. */
export const metricsQuerySchema = z
  .object({
    ...pageQuery,
    q: textQuery(BOUNDS.metricName, 'Only metrics whose name contains this text, whatever its case.'),
    sort: sortQuery(['name', 'services'], 'name'),
    fields: fieldsQuery(metricSchema.shape),
  })
  .check(cursorOrOffset);
