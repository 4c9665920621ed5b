import { z } from 'zod';

/** An order of a list, by a field and then by id. */
export interface Sort<Field extends string = string> {
  field: Field;
  descending: boolean;
}

/** The parameter `sort` of a list that can be ordered by these fields; undefined stands for the default order, `usual`. */
export function sortQuery<const Fields extends readonly [string, ...string[]]>(
  fields: Fields,
  usual: string,
) {
  const orders = fields.flatMap((field) => [field, `-${field}`]);
  return z
    .enum(orders as [string, ...string[]])
    .transform((order): Sort<Fields[number]> => {
      const descending = order.startsWith('-');
      return { field: descending ? order.slice(1) : order, descending };
    })
    .optional()
    .meta({
      description: 'The field to order by, `-` before it descends. A cursor belongs to its order.',
      override: { type: 'string', enum: orders, default: usual, examples: [usual] },
    });
}
