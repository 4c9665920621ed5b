import { pagesOrExports } from '../document/operations.ts';
import { defineRoutes } from '../document/route.ts';
import { partsPageSchema, partsQuerySchema } from './part-list.ts';

/** The routes of parts over many hosts. */
export const PART_ROUTES = defineRoutes('Parts', [
  {
    ...pagesOrExports(partsQuerySchema, 'A page of parts.', partsPageSchema),
    operationId: 'listParts',
    path: '/api/v1/parts',
    summary: 'List parts of hosts',
    description:
      'Filesystems, disks, units and other parts with their latest values: by kind, name and host, or with `sort=host` by host, kind and name. Parts of archived services are left out, and so are parts without samples for a day, by the clock of their host; their series stay.',
  },
]);
