import { type HostPart, hostPartSchema } from '@tidewatch/contracts/parts/part-list';
import type { PART_ROUTES } from '@tidewatch/contracts/parts/part-routes';
import { pickFields } from '@tidewatch/contracts/queries/fields';
import type { Transaction } from '@tidewatch/database/connection';
import { exportParts, listParts, PART_ORDERS, type PartKey } from '@tidewatch/store/parts/list';
import { sendTaggedList } from '../http/entity-tag.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import { paginate, readWindow } from '../http/list-page.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const NOUN = 'parts';
const KEY_SHAPE = ['string', 'string', 'string'] as const;
const USUAL = { field: 'kind', descending: false } as const;

/** Handlers of `/api/v1/parts`. */
export function createPartHandlers(
  { sql }: QueryApiOptions,
  exporter: Exporter,
): Handlers<typeof PART_ROUTES> {
  return {
    async listParts({ request, response, organizationId, query }) {
      const { limit, offset, cursor, sort = USUAL, fields, format: asked, ...filter } = query;
      const columns = PART_ORDERS[sort.field];
      const order = { columns, descending: sort.descending };
      const format = formatOf(request, response, asked);
      if (format !== 'json') {
        const rows = (tx: Transaction) => exportParts(tx, organizationId, filter, order);
        return exporter.send(request, response, { format, shape: hostPartSchema.shape, fields, rows });
      }
      const context = { list: NOUN, filters: { ...filter, sort }, shape: KEY_SHAPE };
      const window = readWindow<PartKey>({ limit, offset, cursor }, context);
      const part = await listParts(sql, organizationId, filter, order, window);
      const { rows, pagination } = paginate(part, window, context, (row: HostPart) =>
        columns.map((column) => row[column]),
      );
      const entries = fields === undefined ? rows : rows.map((row) => pickFields(row, fields));
      await sendTaggedList(request, response, NOUN, entries, pagination);
    },
  };
}
