import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createTidewatchClient } from '@tidewatch/api-client/client';
import { modelSettings, readModelSettings } from '@tidewatch/investigator/model/model-settings';
import { caseOf } from '@tidewatch/investigator/model/prompt/case';
import { promptOf } from '@tidewatch/investigator/model/prompt/prompt';
import { readAddress, readKey } from '@tidewatch/runtime/command-line/service-address';
import { UsageError } from '@tidewatch/runtime/command-line/usage-error';
import { type Environment, readConfig } from '@tidewatch/runtime/settings/config';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { readCommandLine, USAGE } from './command-line.ts';
import { readRecord } from './read-record.ts';
import { type Replayed, replay } from './replay.ts';
import { reportLines, reportObject, totalLine } from './report.ts';

export interface Surroundings {
  args: readonly string[];
  env: Environment;
  /** The folder that relative paths start from. */
  directory: string;
  signal: AbortSignal;
  clock(): number;
  print(line: string): void;
}

/**
 * Replays the investigations that the command line names, one after the other. Returns whether the model answered about
 * each.
 */
export async function runReplay(surroundings: Surroundings): Promise<boolean> {
  const { env, directory, signal, clock, print } = surroundings;
  const command = readCommandLine(surroundings.args);
  if (command === null) {
    print(USAGE);
    return true;
  }
  const settings = readModelSettings(readConfig(modelSettings, env));
  if (settings === null && !command.dryRun)
    throw new UsageError(
      `No model is configured: give ${modelSettings.llmProvider.env} and what belongs to it, or --dry-run.`,
    );
  const there = { ...env, ...(command.data && { TIDEWATCH_DATA_DIR: resolve(directory, command.data) }) };
  const client = () => {
    const address = readAddress(command.url, there);
    const key = readKey(address, there, (path) => readText(resolve(directory, path)));
    return createTidewatchClient({ url: address.url, ...(key === undefined ? {} : { key }) });
  };
  const replayed: Replayed[] = [];
  for (const which of command.which) {
    const record = await readRecord(which, { client, directory });
    if (command.dryRun || settings === null) {
      const { instructions, text } = promptOf(caseOf(record));
      if (command.json) print(JSON.stringify({ id: record.id, instructions, text }));
      else for (const part of [instructions, '', text, '']) print(part);
      continue;
    }
    const each = await replay(record, { settings, logger: createSilentLogger(), signal, clock });
    replayed.push(each);
    if (command.json) print(JSON.stringify(reportObject(each)));
    else for (const line of reportLines(each)) print(line);
  }
  if (replayed.length > 1 && !command.json) print(totalLine(replayed));
  return replayed.every(({ explanation }) => explanation.checkedAnswer !== null);
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
