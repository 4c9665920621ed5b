import { spawnSync } from 'node:child_process';
import { chownSync, lchownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';
import { relocateBinaries } from './relocate.ts';
import { PostgresUnusableError } from './unusable.ts';

/**
 * The user as whom PostgreSQL is started, because it refuses to run as root. `owner` must own its files; null for the
 * current user.
 */
export interface Identity {
  description: string;
  owner: { uid: number; gid: number } | null;
  /** The beginning of the command, for example `unshare …`. */
  prefix: readonly string[];
  /** The user that the process is started as. */
  spawn: { uid?: number; gid?: number };
  /** Whether all users must be able to read the programs, because PostgreSQL runs them without root's capabilities. */
  relocated?: true;
}

/** The environment of PostgreSQL, without variables of this process, which may contain secrets. */
export const SERVER_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LANG: 'C',
  TZ: 'UTC',
};

interface Account {
  name: string;
  uid: number;
  gid: number;
}

/** The accounts of `/etc/passwd` except root, those for services first. */
export function serviceAccounts(passwd: string): Account[] {
  const preferred = ['postgres', 'nobody'];
  const rank = (a: Account) => (preferred.includes(a.name) ? preferred.indexOf(a.name) : preferred.length);
  return passwd
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 7 && Number(fields[2]) > 0)
    .map((fields) => ({ name: String(fields[0]), uid: Number(fields[2]), gid: Number(fields[3]) }))
    .sort((a, b) => rank(a) - rank(b));
}

/** The ways to start PostgreSQL on this machine, best first; `currentOwner` is the owner of the cluster's folder. */
export function identities(
  uid: number,
  currentOwner: { uid: number; gid: number },
  passwd: string,
): Identity[] {
  if (uid !== 0) {
    return [{ description: 'this user', owner: null, prefix: [], spawn: {} }];
  }
  const accounts = serviceAccounts(passwd);
  const account = accounts.find((a) => a.uid === currentOwner.uid) ?? accounts[0];
  if (!account) {
    return [];
  }
  const drop = { uid: account.uid, gid: account.gid };
  return [
    { description: `user ${account.name}`, owner: drop, prefix: [], spawn: drop },
    {
      // Inside the namespace, root appears as the account, while the kernel still allows access to root's folders.
      description: `user ${account.name} in a namespace`,
      owner: { uid: 0, gid: 0 },
      prefix: ['unshare', '--user', `--map-user=${account.uid}`, `--map-group=${account.gid}`, '--'],
      spawn: {},
    },
    {
      description: `user ${account.name} with the right to pass folders`,
      owner: drop,
      prefix: [
        'setpriv',
        `--reuid=${account.uid}`,
        `--regid=${account.gid}`,
        '--clear-groups',
        '--inh-caps=+dac_override',
        '--ambient-caps=+dac_override',
        '--',
      ],
      spawn: {},
      relocated: true,
    },
  ];
}

/** The programs to run, and the user who runs them. */
export interface Runner {
  identity: Identity;
  binaries: PostgresBinaries;
}

/**
 * Chooses the first identity that can run the programs and write into `folder`, and makes it the folder's owner. Throws
 * PostgresUnusableError with advice if there is none.
 */
export function chooseRunner(installed: PostgresBinaries, folder: string): Runner {
  const uid = process.getuid?.() ?? 1;
  const passwd = uid === 0 ? readFileSync('/etc/passwd', 'utf8') : '';
  const before = statSync(folder);
  for (const identity of identities(uid, before, passwd)) {
    if (identity.owner) {
      chownSync(folder, identity.owner.uid, identity.owner.gid);
    }
    const binaries = identity.relocated ? relocateBinaries(installed) : installed;
    if (works(identity, binaries.postgres, folder)) {
      giveTree(identity, folder);
      return { identity, binaries };
    }
  }
  chownSync(folder, before.uid, before.gid);
  throw new PostgresUnusableError(
    uid === 0
      ? `PostgreSQL refuses to run as root, and no other user of this machine can enter ${folder} or run ${installed.postgres}. ` +
          'Start Tidewatch as an ordinary user, or move the checkout and TIDEWATCH_DATA_DIR to folders that others may enter (chmod o+x).'
      : `PostgreSQL could not be run: ${installed.postgres}, with its data in ${folder}. Check that both belong to this user.`,
  );
}

function works(identity: Identity, program: string, folder: string): boolean {
  const script = '"$0" --version >/dev/null && cd "$1" && : >"$1/probe" && rm "$1/probe"';
  const command = [...identity.prefix, '/bin/sh', '-c', script, program, folder];
  const done = spawnSync(command[0] as string, command.slice(1), {
    ...identity.spawn,
    cwd: '/',
    stdio: 'ignore',
    env: SERVER_ENVIRONMENT,
  });
  return done.status === 0;
}

/** Makes the identity the owner of a folder and all of its contents. */
export function giveTree(identity: Identity, path: string): void {
  if (!identity.owner) {
    return;
  }
  const { uid, gid } = identity.owner;
  const stat = lstatSync(path);
  if (stat.uid !== uid || stat.gid !== gid) {
    lchownSync(path, uid, gid);
  }
  if (stat.isDirectory()) {
    for (const entry of readdirSync(path)) {
      giveTree(identity, join(path, entry));
    }
  }
}
