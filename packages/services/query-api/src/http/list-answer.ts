import { type FieldSelection, pickFields } from '@tidewatch/contracts/values/fields';
import type { Sort } from '@tidewatch/contracts/values/sort';
import type { ListOrder } from '@tidewatch/store/lists/order';
import type { ListPart, PageWindow } from '@tidewatch/store/lists/page-window';
import type { Request, Response } from 'express';
import { sendTaggedList } from './entity-tag.ts';
import { paginate, readWindow } from './list-page.ts';

/** A list and its orders, by the fields that they sort by. */
export interface List<Field extends string> {
  /** The name of the entries in the response. */
  noun: string;
  orders: Readonly<Record<Field, Omit<ListOrder, 'descending'>>>;
  /** The default order. */
  usual: Sort<Field>;
  /** The field that ties are ordered by: `id` by default. */
  tie?: string;
}

/** The common part of each list's query; the rest are filters. */
export interface ListQuery<Field extends string> {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
  sort?: Sort<Field> | undefined;
  fields?: FieldSelection | undefined;
}

export type ListKey = readonly [string | number, string];

/** Answers a page of a list with its entity tag; `read` reads the window in the order. */
export async function answerList<Field extends string, Row extends object, Filters extends object>(
  request: Request,
  response: Response,
  list: List<Field>,
  query: ListQuery<Field> & Filters,
  read: (window: PageWindow<ListKey>, order: ListOrder) => Promise<ListPart<Row>>,
): Promise<void> {
  const { limit, offset, cursor, sort = list.usual, fields, ...filters } = query;
  const order: ListOrder = { ...list.orders[sort.field], descending: sort.descending };
  const isText = order.type === 'text';
  const context = {
    list: list.noun,
    filters: { ...filters, sort },
    shape: [isText ? 'string' : 'number', 'string'] as const,
  };
  const window = readWindow<ListKey>({ limit, offset, cursor }, context);
  const part = await read(window, order);
  const { rows, pagination } = paginate(part, window, context, (row) => {
    const value = memberOf(row, sort.field);
    return [
      order.type === 'timestamptz' ? Date.parse(String(value)) : (value as string | number),
      tieOf(row),
    ];
  });
  const entries = fields === undefined ? rows : rows.map((row) => pickFields(row, fields));
  await sendTaggedList(request, response, list.noun, entries, pagination);

  function tieOf(row: Row): string {
    return String(memberOf(row, list.tie ?? 'id'));
  }
}

function memberOf(row: object, name: string): unknown {
  return row[name as keyof typeof row];
}
