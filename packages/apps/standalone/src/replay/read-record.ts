import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { TidewatchClient } from '@tidewatch/api-client/client';
import { type Investigation, investigationSchema } from '@tidewatch/contracts/investigations/investigation';
import { isId } from '@tidewatch/contracts/values/id';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';

export interface RecordSources {
  /** Creates the API client; called only if an id is asked for. */
  client(): TidewatchClient;
  /** The folder that relative paths start from. */
  readonly directory: string;
}

/** Reads an investigation by its id or from a file. Throws UsageError if it is not a completed investigation. */
export async function readRecord(which: string, sources: RecordSources): Promise<Investigation> {
  const found = isId('inv', which)
    ? await sources.client().get('/api/v1/investigations/{id}', { params: { path: { id: which } } })
    : await readJson(resolve(sources.directory, which));
  const record = investigationSchema.safeParse(found);
  if (!record.success) throw new UsageError(`${which} is not an investigation in the form of the API`);
  if (record.data.status !== 'completed') throw new UsageError(`the investigation ${which} is not completed`);
  return record.data;
}

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
