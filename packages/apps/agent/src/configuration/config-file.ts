import { readFileSync, statSync } from 'node:fs';
import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { parse } from 'yaml';
import * as z from 'zod/mini';
import { isServiceAddress, isWatchable, MAX_WATCHED } from './addresses.ts';

const MAX_FILE_BYTES = 64 * 1024;

const text = (error: string) => z.string({ error }).check(z.minLength(1, { error }));
const path = text('must be the path of a file');
const namesError = 'must be a list of names';
const names = z.array(text(namesError), { error: namesError });
const intervalError = 'must be a number of seconds from 1 to 3600';
const hostError = 'must be a name of 1 to 255 characters';
const tagsError = 'must be names with texts, such as role: web';
const watchError = 'must be a list of http or https addresses without user name and password, at most 100';

/** The settings that the file may have; each is optional. */
const settingsSchema = z.strictObject({
  url: z.optional(
    z
      .string({ error: 'must be an http or https address' })
      .check(z.refine(isServiceAddress, { error: 'must be an http or https address' })),
  ),
  key_file: z.optional(path),
  ca_file: z.optional(path),
  client_cert: z.optional(path),
  client_key: z.optional(path),
  buffer_dir: z.optional(text('must be the path of a folder')),
  host: z.optional(
    z
      .string({ error: hostError })
      .check(z.refine((name: string) => name !== '' && [...name].length <= 255, { error: hostError })),
  ),
  host_root: z.optional(path),
  interval: z.optional(
    z
      .number({ error: intervalError })
      .check(z.minimum(1, { error: intervalError }), z.maximum(3600, { error: intervalError })),
  ),
  tags: z.optional(
    z.record(
      z.string().check(z.minLength(1, { error: tagsError })),
      z.string({ error: 'must be a text; put a number or true and false in quotes' }),
      { error: tagsError },
    ),
  ),
  docker_socket: z.optional(path),
  disable: z.optional(names),
  units: z.optional(names),
  watch: z.optional(
    z
      .array(z.string({ error: watchError }).check(z.refine(isWatchable, { error: watchError })), {
        error: watchError,
      })
      .check(z.maxLength(MAX_WATCHED, { error: watchError })),
  ),
});

export type FileSettings = z.infer<typeof settingsSchema>;

/**
 * Reads the agent's file of settings, YAML of at most 64 KiB. An empty file has no settings. Throws a ConfigError that names
 * each wrong setting and what is allowed, never with its value.
 */
export function readConfigFile(file: string): FileSettings {
  const document = parseYaml(file) ?? {};
  const { data, error } = settingsSchema.safeParse(document);
  if (data !== undefined) return data;
  const faults = error.issues.flatMap(describe);
  throw new ConfigError(`The settings in ${file} are not usable:\n  ${[...new Set(faults)].join('\n  ')}`);
}

function parseYaml(file: string): unknown {
  try {
    if (statSync(file).size > MAX_FILE_BYTES) throw new Error('it is larger than 64 KiB');
    return parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    // The message of a syntax error quotes the lines of the file behind its first one.
    const reason = code?.startsWith('E') ? code : message.split('\n', 1)[0];
    throw new ConfigError(`The settings in ${file} cannot be read: ${reason}`);
  }
}

type Issue = { path: readonly PropertyKey[]; message: string; code: string; keys?: readonly string[] };

function describe({ path: at, message, code, keys }: Issue): string[] {
  if (code === 'unrecognized_keys') return (keys ?? []).map(describeUnknown);
  if (at.length === 0) return ['must be settings with their values, such as interval: 10'];
  return [`${at.map(String).join('.')}: ${message}`];
}

function describeUnknown(key: string): string {
  if (key === 'key')
    return 'key: is not allowed, since others may read this file; write the key to a file and name it with key_file';
  const allowed = Object.keys(settingsSchema.shape);
  const meant = nearMiss(key, allowed);
  return `${key}: is no setting${meant ? `; did you mean ${meant}?` : ''}; allowed are ${allowed.join(', ')}`;
}
