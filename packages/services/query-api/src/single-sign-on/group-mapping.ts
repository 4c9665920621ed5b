import { SESSION_SCOPES } from '@tidewatch/contracts/sessions/session';
import type { Scope } from '@tidewatch/contracts/values/access';
import { idSchema } from '@tidewatch/contracts/values/id';
import { hasScope } from '@tidewatch/runtime/auth/authentication';
import { z } from 'zod';

const MAX_GRANTS = 1_000;

const grantSchema = z.strictObject({
  group: z
    .string()
    .min(1)
    .max(500)
    .meta({ description: 'A group as the identity provider names it, letter by letter.' }),
  organization: idSchema('org')
    .optional()
    .meta({ description: 'The id of the organization; the first one of the installation by default.' }),
  scopes: z
    .array(z.enum(SESSION_SCOPES))
    .min(1)
    .max(SESSION_SCOPES.length)
    .meta({ description: 'What members of the group may do there: read, write, admin, operator.' }),
});

/** The file that `TIDEWATCH_OIDC_GROUPS_FILE` names. */
export const groupMappingSchema = z.strictObject({
  groups: z
    .array(grantSchema)
    .min(1)
    .max(MAX_GRANTS)
    .meta({ description: 'The first entry with a group of the user chooses the organization.' }),
});

export type GroupMapping = z.infer<typeof groupMappingSchema>;

/** What a user may do, and in which organization. */
export interface Access {
  organizationId: string;
  scopes: Scope[];
}

/**
 * The access of a user with these groups: the organization of the first entry that names one of them, with the scopes of all such
 * entries of that organization and those that they include; null where no entry does. `firstId` is the organization of entries that name none.
 */
export function accessOf(mapping: GroupMapping, groups: readonly string[], firstId: string): Access | null {
  const granted = mapping.groups
    .filter(({ group }) => groups.includes(group))
    .map(({ organization = firstId, scopes }) => ({ organization, scopes }));
  const organizationId = granted[0]?.organization;
  if (organizationId === undefined) return null;
  const same = granted.filter(({ organization }) => organization === organizationId);
  const held = { scopes: same.flatMap(({ scopes }) => scopes) };
  return { organizationId, scopes: SESSION_SCOPES.filter((scope) => hasScope(held, scope)) };
}
