import { z } from 'zod';
import { PART_BOUNDS } from '../ingest/part.ts';
import { BOUNDS } from '../ingest/sample.ts';
import { formatQuery } from '../queries/export.ts';
import { fieldsQuery } from '../queries/fields.ts';
import { labelQuery, tagQuery } from '../queries/name-values.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { asOfQuery, textQuery } from '../queries/query.ts';
import { partSchema } from '../services/service.ts';
import { idSchema } from '../values/id.ts';
import { metricOfOneKind, orderOfThen, partSortQuery } from './part-sort.ts';

/** A part as lists over many hosts contain it. */
export const hostPartSchema = z
  .object({
    service_id: idSchema('svc'),
    host: z.string().meta({ description: 'Name of the host.', examples: ['web-01'] }),
    ...partSchema.shape,
  })
  .meta({ id: 'HostPart', description: 'A part of a host, with the host that has it.' });

export type HostPart = z.infer<typeof hostPartSchema>;

export const partsPageSchema = z
  .object({ parts: z.array(hostPartSchema), pagination: paginationSchema })
  .meta({ id: 'PartsPage', description: 'Parts of hosts, in the order that was asked for.' });

/**
 * The query of the list of parts: `name` is a pattern in which `*` matches any characters, `q` a literal part of the name,
 * case-insensitive; `tag` and `label` are parsed into names and values.
 */
export const partsQuerySchema = z
  .object({
    ...pageQuery,
    kind: textQuery(PART_BOUNDS.kind, 'Only parts of this kind.', { examples: ['filesystem'] }),
    name: textQuery(
      PART_BOUNDS.name,
      'Only parts whose name matches this pattern; `*` matches any run of characters.',
      { examples: ['/var*'] },
    ),
    q: textQuery(PART_BOUNDS.name, 'Only parts whose name contains this text, whatever its case.'),
    host: textQuery(BOUNDS.host, 'Only parts of the host with this name.', { examples: ['web-01'] }),
    tag: tagQuery,
    label: labelQuery,
    as_of: asOfQuery,
    format: formatQuery,
    sort: partSortQuery,
    fields: fieldsQuery(hostPartSchema.shape),
  })
  .check(cursorOrOffset, metricOfOneKind, orderOfThen);

export type PartsQuery = z.output<typeof partsQuerySchema>;
