import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';
import { textSchema } from '../values/text.ts';

export const DEFAULT_PAGE_SIZE = 50;
export const MAX_PAGE_SIZE = 100;

const MAX_CURSOR = 4_000;

const limitSchema = z
  .string()
  .transform((text, context) => {
    const limit = wholeNumber(text);
    if (limit !== undefined && limit >= 1 && limit <= MAX_PAGE_SIZE) return limit;
    const message = `Must be an integer of 1 to ${MAX_PAGE_SIZE}.`;
    addFault(context, limit === undefined ? 'not_an_integer' : 'out_of_range', message);
    return z.NEVER;
  })
  .default(DEFAULT_PAGE_SIZE)
  .meta({
    description: 'Entries in a page.',
    param: { id: 'limit' },
    override: {
      type: 'integer',
      minimum: 1,
      maximum: MAX_PAGE_SIZE,
      default: DEFAULT_PAGE_SIZE,
      examples: [50],
    },
  });

const offsetSchema = z
  .string()
  .transform((text, context) => {
    const offset = wholeNumber(text);
    if (offset !== undefined && offset >= 0) return offset;
    const message = 'Must be an integer that is not negative.';
    addFault(context, offset === undefined ? 'not_an_integer' : 'out_of_range', message);
    return z.NEVER;
  })
  .optional()
  .meta({
    description: 'How many entries to skip; 0 where neither it nor a cursor is given.',
    param: { id: 'offset' },
    override: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, examples: [100] },
  });

/** The parameters of every list, to be spread into its query schema; `offset` is undefined if it is not given. */
export const pageQuery = {
  limit: limitSchema,
  offset: offsetSchema,
  cursor: textSchema(1, MAX_CURSOR)
    .optional()
    .meta({
      description: 'The `next_cursor` of the page before, with the same filters and without `offset`.',
      pattern: '^[A-Za-z0-9_-]+$',
      param: { id: 'cursor' },
    }),
};

export const pageQuerySchema = z.object(pageQuery);

export type PageQuery = z.output<typeof pageQuerySchema>;

/** Check for the query schema of every list: refuses a cursor together with an offset. */
export const cursorOrOffset = z.superRefine<{ cursor?: unknown; offset?: unknown }>(
  (query, context) => {
    if (query.cursor === undefined || query.offset === undefined) return;
    addFault(context, 'conflicting', 'Must not come with an offset.', ['cursor']);
  },
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

export const paginationSchema = z
  .object({
    total: z
      .int()
      .nonnegative()
      .meta({ description: 'Exact number of entries in all pages.', examples: [1234] }),
    limit: z.int().meta({ description: 'Entries in a page.', examples: [50] }),
    offset: z
      .int()
      .nullable()
      .meta({ description: 'Entries before this page; null when paging by cursor.', examples: [0] }),
    has_more: z.boolean().meta({ description: 'Whether another page follows.', examples: [true] }),
    next_offset: z
      .int()
      .nullable()
      .meta({
        description: 'Offset of the next page; null on the last one and when paging by cursor.',
        examples: [50],
      }),
    next_cursor: z
      .string()
      .nullable()
      .meta({
        description: 'Cursor of the next page; null on the last one.',
        examples: ['eyJrIjpbIndlYi0wMSJdfQ'],
      }),
  })
  .meta({
    id: 'Pagination',
    description:
      'Where in the list this page is. Every order ends in the id, so no entry is skipped or repeated.',
    examples: [{ total: 1, limit: 50, offset: 0, has_more: false, next_offset: null, next_cursor: null }],
  });

export type Pagination = z.infer<typeof paginationSchema>;

/** The whole number that `text` contains in decimal notation; undefined for other texts or beyond the safe range. */
function wholeNumber(text: string): number | undefined {
  if (!/^-?\d+$/.test(text)) return undefined;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : undefined;
}
