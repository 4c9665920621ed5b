import { z } from 'zod';
import { createdKeySchema } from '../keys/key.ts';
import { cursorOrOffset, pageQuery, paginationSchema } from '../queries/page.ts';
import { timestampSchema } from '../time/timestamp.ts';
import { idSchema } from '../values/id.ts';
import { textSchema } from '../values/text.ts';

const nameSchema = textSchema(1, 200).meta({ description: 'What people call it.', examples: ['Retail'] });

export const organizationInputSchema = z.strictObject({ name: nameSchema }).meta({
  id: 'OrganizationInput',
  description: 'An organization as it is created.',
  examples: [{ name: 'Retail' }],
});

export const organizationSchema = z
  .object({ id: idSchema('org'), name: nameSchema, created_at: timestampSchema })
  .meta({
    id: 'Organization',
    description: 'An organization, which has services, rules, alerts and keys of its own.',
  });

export type Organization = z.infer<typeof organizationSchema>;

export const createdOrganizationSchema = z
  .object({ organization: organizationSchema, key: createdKeySchema })
  .meta({ id: 'CreatedOrganization', description: 'A new organization and its first admin key.' });

export type CreatedOrganization = z.infer<typeof createdOrganizationSchema>;

export const organizationsPageSchema = z
  .object({ organizations: z.array(organizationSchema), pagination: paginationSchema })
  .meta({ id: 'OrganizationsPage', description: 'Organizations by creation, oldest first.' });

export const organizationsQuerySchema = z.object({ ...pageQuery }).check(cursorOrOffset);
