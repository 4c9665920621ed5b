import { type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { readTime } from '../arguments.ts';
import { safeText } from '../output/safe-text.ts';
import type { Session } from '../session.ts';

const SCOPES = ['read', 'write', 'admin', 'operator'] as const;

export function addConsole(program: CommandUnknownOpts, session: Session): void {
  program
    .command('console')
    .description('sign in to the console: create a one-time link and open it')
    .option('--name <name>', 'whom or what the link is for; the name of the key by default')
    .addOption(
      new Option('--scope <scope...>', 'scopes of the session; those of the key by default').choices(SCOPES),
    )
    .option('--display', 'for a screen on a wall, which only reads and stays signed in for a year')
    .option('--expires <time>', 'until when the link works, or how long; 15 minutes by default')
    .option('--no-open', 'print the link and open no browser')
    .action(async ({ name, scope, display, expires, open }) => {
      const { terminal } = session;
      const own = await session.client().get('/api/v1/session');
      const granted = own.scopes.flatMap((each) => (each === 'ingest' ? [] : [each]));
      const body = {
        kind: display ? ('display' as const) : ('person' as const),
        name: name ?? own.key.name,
        scopes: display ? (['read'] as const).slice() : (scope ?? granted),
        ...(expires !== undefined && { expires_at: readTime(expires, session.clock(), 'future') }),
      };
      const link = await session.client().post('/api/v1/sign-in-links', { body });
      if (session.json()) return terminal.json(link);
      const what = `${safeText(body.name)} (${body.scopes.join(', ')})`;
      if (open && (await session.openBrowser(link.url)))
        return terminal.print(`Opened the console in your browser, signed in as ${what}.\n`);
      terminal.note(`Signs in one browser, once, until ${link.expires_at}, as ${what}:`);
      return terminal.print(`${link.url}\n`);
    });
}
