import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import type { Schema } from '@tidewatch/api-client/schema';
import { collect, parseCountOf, parseNumber, readTime, text } from '../arguments.ts';
import { showSecret } from '../keys/secret.ts';
import { deleteEach, paged, showList } from '../list.ts';
import { formatAge } from '../output/age.ts';
import { type Cell, elastic } from '../output/table.ts';
import { word } from '../output/word.ts';
import type { Session } from '../session.ts';

const SCOPES = ['ingest', 'read', 'write', 'admin', 'operator'] as const;
const SECRET_FILE = 'write the secret to this new file instead of printing it';

const COLUMNS = ['ID', elastic('NAME'), 'STATUS', 'SCOPES', 'KEY', 'USED', 'EXPIRES', elastic('HOSTS')];

export function addKeys(program: CommandUnknownOpts, session: Session): void {
  const keys = program.command('keys').description('API keys and their scopes');
  const list = keys.command('list').description('list keys, oldest first');
  paged(list).action((paging) =>
    showList(session, paging, {
      path: '/api/v1/keys',
      noun: 'keys',
      columns: COLUMNS,
      row: (key) => rowOf(key, session),
    }),
  );
  keys
    .command('create')
    .description('create a key; its secret is printed only once')
    .argument('<name>', 'name of the key')
    .addOption(new Option('--scope <scope...>', 'scopes of the key').choices(SCOPES).makeOptionMandatory())
    .option('--expires <time>', 'when it expires, or how long from now, such as 90d')
    .option('--host <pattern>', 'restrict ingest to these hosts (repeatable)', collect(text))
    .option('--rate-limit <requests>', 'limit of requests per minute', parseCountOf(1_000_000_000))
    .option('--secret-file <file>', SECRET_FILE)
    .action((name, { scope: scopes, expires, host: hosts, rateLimit, secretFile }) =>
      showSecret(session, secretFile, async () => {
        const body = {
          name,
          scopes,
          ...(expires !== undefined && { expires_at: readTime(expires, session.clock(), 'future') }),
          ...(hosts !== undefined && { hosts }),
          ...(rateLimit !== undefined && { rate_limit_per_minute: rateLimit }),
        };
        const key = await session.client().post('/api/v1/keys', { body });
        return { answer: key, key };
      }),
    );
  keys
    .command('rotate')
    .description('create a successor of a key; the old key stays valid for a grace period')
    .argument('<id>', 'id of the key')
    .option('--grace-hours <hours>', 'grace period in hours; 24 by default', parseNumber)
    .option('--secret-file <file>', SECRET_FILE)
    .action((id, { graceHours, secretFile }) =>
      showSecret(session, secretFile, async () => {
        const key = await session.client().post('/api/v1/keys/{id}/rotate', {
          params: { path: { id } },
          body: { ...(graceHours !== undefined && { grace_hours: graceHours }) },
        });
        return { answer: key, key };
      }),
    );
  keys
    .command('revoke')
    .description('revoke keys immediately')
    .argument('<id...>', 'ids of keys')
    .action((ids) => deleteEach(session, ids, '/api/v1/keys/{id}', 'revoked'));
}

function rowOf(key: Schema<'Key'>, { terminal, clock }: Session): (string | Cell)[] {
  const now = clock();
  const expired = key.expires_at !== null && Date.parse(key.expires_at) <= now;
  const status = key.revoked_at !== null ? 'revoked' : expired ? 'expired' : 'active';
  const used = key.last_used_at === null ? 'never' : formatAge(key.last_used_at, now);
  return [
    key.id,
    key.name,
    word(terminal, status),
    key.scopes.join(','),
    shownKey(key),
    used,
    key.expires_at ?? '-',
    key.hosts?.join(' ') ?? 'any',
  ];
}

/** Shows the end of the key's id, because keys that were created within minutes of each other have the same prefix. */
function shownKey({ id, kind, prefix }: Schema<'Key'>): string {
  if (kind === 'person') return 'single sign-on';
  return prefix === '' ? 'as configured' : `tw_…${id.slice(-8)}_…`;
}
