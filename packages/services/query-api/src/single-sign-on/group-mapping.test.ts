import { describe, expect, it } from 'vitest';
import { accessOf, type GroupMapping, groupMappingSchema } from './group-mapping.ts';

const FIRST = `org_${'0'.repeat(32)}`;
const RETAIL = `org_${'1'.repeat(32)}`;

const MAPPING: GroupMapping = {
  groups: [
    { group: 'retail-admins', organization: RETAIL, scopes: ['admin'] },
    { group: 'on-call', scopes: ['write'] },
    { group: 'staff', organization: FIRST, scopes: ['read'] },
    { group: 'retail', organization: RETAIL, scopes: ['read'] },
    { group: 'operators', scopes: ['operator'] },
  ],
};

describe('what groups grant', () => {
  it.each([
    ['nothing without a group', [], null],
    [
      'nothing for groups that the file does not name, which are compared letter by letter',
      ['Staff', 'staff '],
      null,
    ],
    ['the scopes of an entry, in the first organization by default', ['on-call'], [FIRST, 'read', 'write']],
    ['the scopes of all entries of the organization', ['staff', 'operators'], [FIRST, 'read', 'operator']],
    ['what a scope includes', ['retail-admins'], [RETAIL, 'read', 'write', 'admin']],
    [
      'the organization of the first entry of the file, and nothing of another',
      ['retail', 'on-call'],
      [FIRST, 'read', 'write'],
    ],
    [
      'in the order of the file, not of the groups',
      ['staff', 'retail-admins'],
      [RETAIL, 'read', 'write', 'admin'],
    ],
  ])('is %s', (_, groups, expected) => {
    const access = accessOf(MAPPING, groups, FIRST);
    expect(access && [access.organizationId, ...access.scopes]).toEqual(expected);
  });
});

it('describes every field of the file', () => {
  const fields = groupMappingSchema.shape.groups.element.shape;
  for (const [name, field] of Object.entries(fields))
    expect([name, field.meta()?.description]).toEqual([name, expect.stringMatching(/\w/)]);
});
