import { readFileSync } from 'node:fs';
import tab from '@bomb.sh/tab/commander';
import { Command } from '@commander-js/extra-typings';
import { addAgents } from './commands/agents.ts';
import { addAlerts } from './commands/alerts.ts';
import { addAudit } from './commands/audit.ts';
import { addChannels } from './commands/channels.ts';
import { addConsole } from './commands/console.ts';
import { addDoctor } from './commands/doctor.ts';
import { addInvestigations } from './commands/investigations.ts';
import { addKeys } from './commands/keys.ts';
import { addMarkers } from './commands/markers.ts';
import { addNotifications } from './commands/notifications.ts';
import { addOrganizations } from './commands/org.ts';
import { addParts } from './commands/parts.ts';
import { addRules } from './commands/rules.ts';
import { addSend } from './commands/send.ts';
import { addServices } from './commands/services.ts';
import { addSilences } from './commands/silences.ts';
import type { Session } from './session.ts';

const FOOTER = `
Address: --url, TIDEWATCH_URL, else the port of this machine's own service (TIDEWATCH_PORT).
Key: TIDEWATCH_API_KEY, TIDEWATCH_BOOTSTRAP_KEY, else the file admin-key of the data directory (TIDEWATCH_DATA_DIR).

Exit codes: 0 done, 1 failed, 2 usage, 3 not found, 4 not allowed, 5 unreachable, 6 invalid, 7 conflict, 8 limited,
130 interrupted.`;

/** The options of every command. */
export interface GlobalOptions {
  url?: string | undefined;
  json?: boolean | undefined;
}

export interface ProgramOptions {
  /** Receives the global options before a command runs. */
  begin(options: GlobalOptions): void;
  /** Writes help. */
  writeOut(text: string): void;
  /** Writes errors about arguments. */
  writeErr(text: string): void;
}

/** Creates the command line with all its commands. */
export function createProgram(session: Session, { begin, writeOut, writeErr }: ProgramOptions) {
  const program = new Command('tidewatch')
    .version(ownVersion())
    .description('Reads from a Tidewatch service and controls it.')
    .option('--url <address>', 'address of the service')
    .option('--json', "print only the API's objects, as JSON")
    .exitOverride()
    .configureOutput({ writeOut, writeErr })
    .showSuggestionAfterError()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText('after', FOOTER);
  program.hook('preAction', () => begin(program.opts()));
  const nouns = [
    addServices,
    addParts,
    addAgents,
    addAlerts,
    addRules,
    addChannels,
    addNotifications,
    addInvestigations,
    addMarkers,
    addSilences,
    addSend,
    addKeys,
    addAudit,
    addOrganizations,
    addConsole,
    addDoctor,
  ];
  for (const add of nouns) add(program, session);
  // The adapter expects commander's own class, and this program has narrower types.
  tab(program as unknown as Parameters<typeof tab>[0], { completionCommandName: 'completion' });
  return program;
}

function ownVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  return version;
}
