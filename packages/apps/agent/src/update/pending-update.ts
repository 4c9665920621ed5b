import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/**
 * How an update is tried: the new executable is in place, the former one beside it as `.previous`, and `.pending` says what is tried.
 * Before each start of the agent the former one settles the update, so that a new one that ends at once cannot prevent it:
 *
 *   pending ── the new version sent a payload ──────────────────► confirmed: `.pending` is removed
 *      └────── too many starts, or too late without a payload ──► rolled back: `.previous` is in place again, `.refused` names the version
 */
export interface PendingUpdate {
  version: string;
  /** When the new version was put in place, ms since the epoch. */
  since: number;
  /** How often the new version was started. */
  starts: number;
}

export type Settled = 'none' | 'pending' | 'confirmed' | 'rolled back';

/** How long a new version may take until it has sent a payload, ms. */
export const CONFIRM_WITHIN_MS = 300_000;
/** A new version that did not send anything is not started more often than this. */
export const MAX_STARTS = 3;
const SENT_FILE = 'sent-version';
const MAX_VERSION_BYTES = 64;

/** Records in the buffer folder that this version of the agent has sent a payload. Throws an error of the system. */
export function recordSent(bufferDirectory: string, version: string): void {
  writeFileSync(join(bufferDirectory, SENT_FILE), `${version}\n`, { mode: 0o644 });
}

/** The version that was rolled back last; undefined for none. */
export function refusedVersion(executable: string): string | undefined {
  try {
    return readFileSync(`${executable}.refused`, 'utf8').trim();
  } catch {
    return undefined;
  }
}

/** Writes what is tried, before the new executable is put in place. */
export function writePending(executable: string, update: PendingUpdate): void {
  replaceFile(`${executable}.pending`, `${JSON.stringify(update)}\n`);
}

/** Decides about the update that is tried. `isStart` says that the agent is about to be started. */
export function settleUpdate(
  executable: string,
  bufferDirectory: string,
  now: number,
  isStart: boolean,
): Settled {
  const update = readPending(executable);
  if (update === undefined) return 'none';
  if (hasSent(bufferDirectory, update)) {
    rmSync(`${executable}.pending`, { force: true });
    rmSync(`${executable}.refused`, { force: true });
    return 'confirmed';
  }
  const isLate = now - update.since > CONFIRM_WITHIN_MS || now < update.since;
  if (isLate || (isStart && update.starts >= MAX_STARTS)) {
    rollBack(executable, update.version);
    return 'rolled back';
  }
  if (isStart) writePending(executable, { ...update, starts: update.starts + 1 });
  return 'pending';
}

function rollBack(executable: string, version: string): void {
  replaceFile(`${executable}.refused`, `${version}\n`);
  if (existsSync(`${executable}.previous`)) renameSync(`${executable}.previous`, executable);
  rmSync(`${executable}.pending`, { force: true });
}

/** A file of settings that cannot be read as such counts as a first start long ago, so that it is rolled back. */
function readPending(executable: string): PendingUpdate | undefined {
  let text: string;
  try {
    text = readFileSync(`${executable}.pending`, 'utf8');
  } catch {
    return undefined;
  }
  try {
    const { version, since, starts } = JSON.parse(text);
    return { version: String(version), since: Number(since) || 0, starts: Number(starts) || 0 };
  } catch {
    return { version: 'unknown', since: 0, starts: 0 };
  }
}

/** Reads what the agent recorded. Its user may write anything there, and this process may be of root. */
function hasSent(bufferDirectory: string, { version, since }: PendingUpdate): boolean {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  let descriptor: number;
  try {
    descriptor = openSync(join(bufferDirectory, SENT_FILE), flags);
  } catch {
    return false;
  }
  try {
    const state = fstatSync(descriptor);
    const content = Buffer.alloc(MAX_VERSION_BYTES);
    if (!state.isFile() || state.mtimeMs < since) return false;
    const length = readSync(descriptor, content, 0, MAX_VERSION_BYTES, 0);
    return content.toString('utf8', 0, length).trim() === version;
  } finally {
    closeSync(descriptor);
  }
}

function replaceFile(path: string, text: string): void {
  const descriptor = openSync(`${path}.new`, 'w', 0o644);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(`${path}.new`, path);
}
