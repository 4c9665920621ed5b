import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { safeText } from '../output/safe-text.ts';
import type { Session } from '../session.ts';

interface KeyWithSecret {
  id: string;
  name: string;
  scopes: readonly string[];
  secret: string;
}

/** The response of the service, and the key in it. */
export interface Made {
  answer: object;
  key: KeyWithSecret;
}

const MASK = '…';

/** Creates a key and prints its secret on a line of its own; with `file`, writes the secret to the file instead. */
export async function showSecret(
  session: Session,
  file: string | undefined,
  make: () => Promise<Made>,
): Promise<void> {
  const { terminal } = session;
  if (file !== undefined) return writeSecret(session, file, make);
  const { answer, key } = await make();
  if (session.json()) return terminal.json(answer);
  terminal.note('The secret is printed only once:');
  return terminal.print(`${describe(key)}\n${key.secret}\n`);
}

/** Creates the file (mode 0600) before the key, so that the secret is not lost if the file cannot be written. */
async function writeSecret(session: Session, file: string, make: () => Promise<Made>): Promise<void> {
  const { terminal } = session;
  const path = resolve(session.directory, file);
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be created: ${error.code}`);
  });
  try {
    const { answer, key } = await make();
    await handle.writeFile(`${key.secret}\n`);
    if (session.json()) return await terminal.json(masked(answer));
    return await terminal.print(`${describe(key)}, its secret is in ${safeText(file)}\n`);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

const describe = ({ id, name, scopes }: KeyWithSecret) => `${id} ${safeText(name)} (${scopes.join(', ')})`;

function masked(answer: object): unknown {
  return JSON.parse(JSON.stringify(answer), (name, value) => (name === 'secret' ? MASK : value));
}
