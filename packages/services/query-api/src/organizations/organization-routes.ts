import {
  organizationInputSchema,
  organizationsQuerySchema,
} from '@tidewatch/contracts/organizations/organization';
import { validationProblem } from '@tidewatch/contracts/values/problem';
import { check } from '@tidewatch/contracts/values/validation';
import { INSTALLATION, inOrganization } from '@tidewatch/store/database/tenancy/bound-organization';
import { listOrganizations } from '@tidewatch/store/organizations/list';
import { createOrganization } from '@tidewatch/store/organizations/write';
import { installStarterSet } from '@tidewatch/store/rules/starter-set';

import { readJson } from '../http/json-body.ts';
import { paginate, readWindow } from '../http/list-page.ts';
import type { Handlers } from '../http/mount-routes.ts';
import { actorOf, auditTrailOf, queryOf } from '../http/request.ts';
import type { QueryApiOptions } from '../query-api-options.ts';

/** The routes of `/api/v1/organizations`, for the operator of the installation. */
export function createOrganizationHandlers({ sql, clock, newId, config }: QueryApiOptions): Handlers {
  return {
    async listOrganizations(request, response) {
      const page = queryOf(request, organizationsQuerySchema);
      const context = { list: 'organizations', filters: {}, shape: ['number', 'string'] as const };
      const window = readWindow<readonly [number, string]>(page, context);
      const part = await inOrganization(INSTALLATION, () => listOrganizations(sql, window));
      const { rows, pagination } = paginate(part, window, context, (organization) => [
        Date.parse(organization.created_at),
        organization.id,
      ]);
      response.json({ organizations: rows, pagination });
    },

    async createOrganization(request, response) {
      const checked = check(organizationInputSchema, await readJson(request, ['application/json']), 'body');
      if ('errors' in checked) throw validationProblem(checked.errors);
      const now = clock();
      const organizationId = newId('org');
      const operator = auditTrailOf(request, response, { now, newId, config });
      const audit = { ...operator, organizationId };
      const write = { organizationId, now, audit };
      const maxKeys = config.limits.keysLimit;
      const key = { ...write, id: newId('key'), eventId: newId('evt'), actor: actorOf(response), maxKeys };
      const created = await createOrganization(
        sql,
        { name: checked.value.name, key, operator },
        async (tx) => {
          if (config.starterRules)
            await installStarterSet(tx, { ...write, newId, maxRules: config.limits.rulesLimit });
        },
      );
      response.json(created);
    },
  };
}
