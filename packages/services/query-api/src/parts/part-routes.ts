import { type HostPart, hostPartSchema } from '@tidewatch/contracts/parts/part-list';
import type { PART_ROUTES } from '@tidewatch/contracts/parts/part-routes';
import { pickFields } from '@tidewatch/contracts/queries/fields';
import type { Transaction } from '@tidewatch/database/connection';
import { exportParts, listParts } from '@tidewatch/store/parts/list';
import { listPartsAsOf } from '@tidewatch/store/parts/list-as-of';
import { keyOfPart, keyShape, type PartKey, partOrder } from '@tidewatch/store/parts/part-order';
import { requireWithinReach } from '../http/as-of.ts';
import { clientGone } from '../http/client-gone.ts';
import { sendTaggedList } from '../http/entity-tag.ts';
import { type Exporter, formatOf } from '../http/export.ts';
import { paginate, readWindow } from '../http/list-page.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { OrganizationShare } from '../http/organization-share.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

const NOUN = 'parts';
const USUAL = { field: 'kind', descending: false } as const;

/** Handlers of `/api/v1/parts`. */
export function createPartHandlers(
  { sql, clock }: QueryApiOptions,
  exporter: Exporter,
  queries: OrganizationShare,
): Handlers<typeof PART_ROUTES> {
  return {
    async listParts({ request, response, organizationId, query }) {
      const { limit, offset, cursor, sort = USUAL, fields, format: asked, as_of: asOf, ...filter } = query;
      const order = partOrder(sort, filter.kind);
      const format = formatOf(request, response, asked);
      if (format !== 'json') {
        const rows = (tx: Transaction) => exportParts(tx, organizationId, filter, order);
        return exporter.send(request, response, { format, shape: hostPartSchema.shape, fields, rows });
      }
      if (asOf !== undefined) requireWithinReach(asOf, clock());
      const isMeasured = order.value !== null;
      const filters = { ...filter, sort, as_of: asOf };
      const context = { list: NOUN, filters, shape: keyShape(order), isMeasured };
      const window = readWindow<PartKey>({ limit, offset, cursor }, context);
      const read = () =>
        asOf === undefined
          ? listParts(sql, organizationId, filter, order, window)
          : listPartsAsOf(sql, organizationId, filter, asOf, order, window);
      const part = await (isMeasured ? queries.run(organizationId, clientGone(response), read) : read());
      const { rows, pagination } = paginate(part, window, context, (row: HostPart) => keyOfPart(row, order));
      const entries = fields === undefined ? rows : rows.map((row) => pickFields(row, fields));
      await sendTaggedList(request, response, NOUN, entries, pagination);
    },
  };
}
