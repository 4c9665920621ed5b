import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { showSecret } from '../keys/secret.ts';
import { paged, showList } from '../list.ts';
import { safeText } from '../output/safe-text.ts';
import { elastic } from '../output/table.ts';
import type { Session } from '../session.ts';

export function addOrganizations(program: CommandUnknownOpts, session: Session): void {
  const organizations = program
    .command('org')
    .description('organizations of the installation; needs a key with the scope operator');
  const list = organizations.command('list').description('list organizations, oldest first');
  paged(list).action((paging) =>
    showList(session, paging, {
      path: '/api/v1/organizations',
      noun: 'organizations',
      columns: ['ID', elastic('NAME'), 'CREATED'],
      row: ({ id, name, created_at }) => [id, name, created_at],
    }),
  );
  organizations
    .command('create')
    .description('create an organization and its first admin key, whose secret is printed only once')
    .argument('<name>', 'name of the organization')
    .option('--secret-file <file>', 'write the secret to this new file instead of printing it')
    .action((name, { secretFile }) =>
      showSecret(session, secretFile, async () => {
        const answer = await session.client().post('/api/v1/organizations', { body: { name } });
        if (!session.json()) await session.terminal.print(`${answer.organization.id} ${safeText(name)}\n`);
        return { answer, key: answer.key };
      }),
    );
}
