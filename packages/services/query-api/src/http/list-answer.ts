import type { Route } from '@tidewatch/contracts/document/route';
import { type FieldSelection, pickFields } from '@tidewatch/contracts/queries/fields';
import type { Sort } from '@tidewatch/contracts/queries/sort';
import type { ListOrder } from '@tidewatch/store/lists/order';
import type { ListPart, PageWindow } from '@tidewatch/store/lists/page-window';
import type { Call } from './call.ts';
import { sendTaggedList } from './entity-tag.ts';
import { paginate, readWindow } from './list-page.ts';
import type { Handler } from './mount-routes.ts';

/** A list and its orders, by the fields that they sort by. */
export interface List<Field extends string> {
  /** The name of the entries in the response. */
  noun: string;
  orders: Readonly<Record<Field, Omit<ListOrder, 'descending'>>>;
  /** The default order. */
  usual: Sort<Field>;
  /** The field by which entries with equal values are ordered: `id` by default. */
  tie?: string;
  /** The sort keys of fields whose values are not sorted as they are. */
  keys?: Partial<Record<Field, (value: unknown) => number>>;
}

/** The query parameters that every list has; all others are filters. */
export interface ListQuery<Field extends string> {
  limit: number;
  offset?: number | undefined;
  cursor?: string | undefined;
  sort?: Sort<Field> | undefined;
  fields?: FieldSelection | undefined;
}

export type ListKey = readonly [string | number, string];

/** A handler that answers a page of a list with its entity tag; `read` reads the requested part in the requested order. */
export function answerList<R extends Route, Field extends string, Row extends object>(
  list: List<Field>,
  read: (
    call: Call<R>,
    query: Call<R>['query'],
    window: PageWindow<ListKey>,
    order: ListOrder,
  ) => Promise<ListPart<Row>>,
): Handler<R> {
  return async (call) => {
    const { query } = call;
    await sendList(call, list, query as unknown as ListQuery<Field>, (window, order) =>
      read(call, query, window, order),
    );
  };
}

/** Sends a page of a list with its entity tag, for a query that has already been read. */
export async function sendList<Field extends string, Row extends object, Filters extends object>(
  { request, response }: Pick<Call, 'request' | 'response'>,
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
    const member = memberOf(row, sort.field);
    const value = list.keys?.[sort.field]?.(member) ?? member;
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

/** A page of a list that has a single order: by time, then id. */
export async function pageByTime<Row extends { id: string }, Filters extends object>(
  { limit, offset, cursor, ...filters }: ListQuery<string> & Filters,
  { noun, time }: { noun: string; time: string },
  read: (window: PageWindow<readonly [number, string]>) => Promise<ListPart<Row>>,
): Promise<object> {
  const context = { list: noun, filters, shape: ['number', 'string'] as const };
  const window = readWindow<readonly [number, string]>({ limit, offset, cursor }, context);
  const { rows, pagination } = paginate(await read(window), window, context, (row) => [
    Date.parse(String(memberOf(row, time))),
    row.id,
  ]);
  return { [noun]: rows, pagination };
}

function memberOf(row: object, name: string): unknown {
  return row[name as keyof typeof row];
}
