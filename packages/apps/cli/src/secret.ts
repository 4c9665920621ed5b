import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { safeText } from './output/safe-text.ts';
import type { Session } from './session.ts';
import { UsageError } from './usage-error.ts';

interface KeyWithSecret {
  id: string;
  name: string;
  scopes: readonly string[];
  secret: string;
}

/** What the service answered, and the key in it. */
export interface Made {
  answer: object;
  key: KeyWithSecret;
}

const MASK = '…';

/** Makes a key and shows it with its secret, alone on its line; with `file`, the secret goes there instead. */
export async function showSecret(
  session: Session,
  file: string | undefined,
  make: () => Promise<Made>,
): Promise<void> {
  const { terminal } = session;
  if (file !== undefined) return keepSecret(session, file, make);
  const { answer, key } = await make();
  if (session.json()) return terminal.json(answer);
  terminal.note('The secret is shown only this once:');
  return terminal.print(`${describe(key)}\n${key.secret}\n`);
}

/** The file, of mode 0600, must be new and is there before the key is, so that no secret is lost for want of it. */
async function keepSecret(session: Session, file: string, make: () => Promise<Made>): Promise<void> {
  const { terminal } = session;
  const path = resolve(session.directory, file);
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${file} cannot be made: ${error.code}`);
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
