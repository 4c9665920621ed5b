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
      'Filesystems, disks, units and other parts with their latest values: by kind, name and host, or in the order that `sort` names. Parts of archived services are left out, and so are parts without samples for a day, by the clock of their host; their series stay. With `as_of` the list has the parts that were in it at that time, with the latest values of then as far as raw samples are kept, and the labels of now.',
  },
]);
