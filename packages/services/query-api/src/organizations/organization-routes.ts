import type { ORGANIZATION_ROUTES } from '@tidewatch/contracts/organizations/organization-routes';
import { INSTALLATION, inOrganization } from '@tidewatch/database/tenancy/bound-organization';
import { listOrganizations } from '@tidewatch/store/organizations/list';
import { createOrganization } from '@tidewatch/store/organizations/write';
import { installStarterSet } from '@tidewatch/store/rules/starter-set';

import { pageByTime } from '../http/list-answer.ts';
import type { Handlers } from '../http/mount-routes.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** The routes of `/api/v1/organizations`, for the operator of the installation. */
export function createOrganizationHandlers(options: QueryApiOptions): Handlers<typeof ORGANIZATION_ROUTES> {
  const { sql, newId, config } = options;
  return {
    async listOrganizations({ query, response }) {
      const page = await pageByTime(query, { noun: 'organizations', time: 'created_at' }, (window) =>
        inOrganization(INSTALLATION, () => listOrganizations(sql, window)),
      );
      response.json(page);
    },

    async createOrganization(call) {
      const { name } = await call.body();
      const { now, actor, audit: operator } = call.change(options);
      const organizationId = newId('org');
      const audit = { ...operator, organizationId };
      const write = { organizationId, now, audit };
      const maxKeys = config.limits.keysLimit;
      const key = { ...write, id: newId('key'), eventId: newId('evt'), actor, maxKeys };
      const created = await createOrganization(sql, { name, key, operator }, async (tx) => {
        if (config.starterRules)
          await installStarterSet(tx, { ...write, newId, maxRules: config.limits.rulesLimit });
      });
      call.response.json(created);
    },
  };
}
