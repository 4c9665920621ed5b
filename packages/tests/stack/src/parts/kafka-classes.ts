import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** After this time a process that began to record counts as killed, ms. */
const RECORDED_WITHIN_MS = 600_000;

/**
 * The arguments by which Java takes Kafka's classes from an archive that `record` writes once (JEP 350), instead of loading and
 * verifying them from the jars at each start. `record` gets an empty folder and the name of the archive. While
 * another process records, and where Java wrote no archive, there are no arguments: a broker starts without them too.
 */
export async function classArguments(
  archive: string,
  record: (home: string, archive: string) => Promise<void>,
): Promise<string[]> {
  if (!existsSync(archive)) await recordOnce(archive, record);
  return existsSync(archive) ? [`-XX:SharedArchiveFile=${archive}`] : [];
}

async function recordOnce(
  archive: string,
  record: (home: string, archive: string) => Promise<void>,
): Promise<void> {
  const home = `${archive}.recording`;
  if (!claim(home)) return;
  try {
    const unfinished = join(home, 'classes.jsa');
    await record(home, unfinished);
    if (existsSync(unfinished)) renameSync(unfinished, archive);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** Makes the folder; false if another process, which is taken to be running, has made it. */
function claim(folder: string): boolean {
  const madeAt = statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
  if (madeAt !== undefined && Date.now() - madeAt > RECORDED_WITHIN_MS)
    rmSync(folder, { recursive: true, force: true });
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
