import { z } from 'zod';
import { PART_BOUNDS } from '../ingest/part.ts';
import { addFault } from '../problems/add-fault.ts';
import { textSchema } from '../values/text.ts';

/** What parts of every kind can be ordered by; any other name is a metric. */
export const PART_SORT_FIELDS = ['kind', 'name', 'host', 'last_seen'] as const;
export type PartSortField = (typeof PART_SORT_FIELDS)[number];

/** An order of the list of parts: by a field, or by the latest values of a metric. */
export type PartSort = { descending: boolean } & ({ field: PartSortField } | { metric: string });

const NOT_SORTABLE =
  'Must be kind, name, host or last_seen, each with or without `-` before it; with `kind` also a metric of these parts.';

const NOT_SORTABLE_THEN = 'Must be kind, name or host with `as_of`, each with or without `-` before it.';

/** The parameter `sort` of the list of parts; undefined stands for the order by kind. */
export const partSortQuery = textSchema(1, PART_BOUNDS.metricName + 1)
  .transform((text): PartSort => {
    const descending = text.length > 1 && text.startsWith('-');
    const name = descending ? text.slice(1) : text;
    const field = PART_SORT_FIELDS.find((each) => each === name);
    return field === undefined ? { metric: name, descending } : { field, descending };
  })
  .optional()
  .meta({
    description:
      'The order: `kind`, `name`, `host` or `last_seen`, or with `kind` a metric such as `used_percent`; `-` before it descends. Parts without the metric come last. With `as_of` only `kind`, `name` and `host`. A cursor belongs to its order.',
    override: {
      type: 'string',
      minLength: 1,
      maxLength: PART_BOUNDS.metricName + 1,
      default: 'kind',
      examples: ['kind', '-last_seen'],
    },
  });

/** Check that refuses the order by a metric of parts of any kind, for which the name of a metric says little. */
export const metricOfOneKind = z.superRefine<{ kind?: unknown; sort?: unknown }>((query, context) => {
  const { kind, sort } = query;
  // A refused text stays a text.
  if (typeof sort !== 'object' || sort === null || !('metric' in sort) || kind !== undefined) return;
  addFault(context, 'invalid_value', NOT_SORTABLE, ['sort']);
});

/** Check that refuses the order by latest values of a list as of a time, for which those of all parts would be looked for. */
export const orderOfThen = z.superRefine<{ as_of?: unknown; sort?: unknown }>((query, context) => {
  const { as_of: asOf, sort } = query;
  if (asOf === undefined || typeof sort !== 'object' || sort === null) return;
  if ('field' in sort && sort.field !== 'last_seen') return;
  addFault(context, 'conflicting', NOT_SORTABLE_THEN, ['sort']);
});
