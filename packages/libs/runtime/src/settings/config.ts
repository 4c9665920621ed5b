import { readFileSync } from 'node:fs';
import { holdsEllipsis, isPlaceholder } from '@tidewatch/contracts/problems/placeholder';
import { z } from 'zod';
import { ConfigError } from './config-error.ts';
import { misspeltSettings } from './misspelt-settings.ts';

/** A setting of a process. `schema` parses the text of the variable, which is undefined if the variable is not set. */
export interface Setting<T> {
  env: string;
  schema: z.ZodType<T>;
  meaning: string;
  example: string;
  /** The default as shown in `--help`, where the schema's own does not say it. */
  default?: string;
  /** True for a secret: it may also come from the file that `<env>_FILE` names, and its value is never shown. */
  secret?: boolean;
  /** True if the setting's value is the path of a file that holds a secret. */
  namesSecretFile?: boolean;
}

export type Settings = Record<string, Setting<unknown>>;
export type ConfigOf<S extends Settings> = {
  [Name in keyof S]: S[Name] extends Setting<infer T> ? T : never;
};
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the definition unchanged, with the type of the setting's value. */
export function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

/** Schema of a whole number in decimal notation, from `minimum` to `maximum`. */
export function wholeNumber(minimum: number, maximum: number) {
  const error = `must be a whole number from ${minimum} to ${maximum}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, error)
    .transform(Number)
    .pipe(z.number().int().min(minimum, error).max(maximum, error));
}

/** Schema of a switch: `on`, `true`, `yes` or `1`; `off`, `false`, `no` or `0`. */
export function onOff() {
  return z
    .string()
    .toLowerCase()
    .pipe(z.enum(['on', 'true', 'yes', '1', 'off', 'false', 'no', '0'], { error: 'must be on or off' }))
    .transform((text) => ['on', 'true', 'yes', '1'].includes(text));
}

function rawValue(
  definition: Setting<unknown>,
  env: Environment,
  problems: string[],
  onSecretFile: (path: string) => void,
): string | undefined {
  if (definition.namesSecretFile && env[definition.env]) onSecretFile(env[definition.env] as string);
  const direct = env[definition.env];
  const fileVariable = `${definition.env}_FILE`;
  const file = definition.secret ? env[fileVariable] : undefined;
  if (file === undefined || file === '') return direct === '' ? undefined : direct;
  if (direct !== undefined && direct !== '') {
    problems.push(`${definition.env}: give it either directly or by ${fileVariable}, not both`);
    return undefined;
  }
  try {
    const text = readFileSync(file, 'utf8').trim();
    onSecretFile(file);
    return text;
  } catch (error) {
    problems.push(
      `${fileVariable}: ${(error as NodeJS.ErrnoException).code ?? 'unreadable'}, cannot read ${file}`,
    );
    return undefined;
  }
}

/**
 * Reads and validates all settings before anything opens. Empty variables count as absent. `onSecretFile` receives the path
 * of each file that holds a secret. Throws ConfigError, also for a variable whose name is a misspelt setting of any
 * process, which would otherwise be ignored.
 */
export function readConfig<S extends Settings>(
  settings: S,
  env: Environment,
  onSecretFile: (path: string) => void = () => {},
): ConfigOf<S> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, definition] of Object.entries(settings)) {
    const before = problems.length;
    const raw = rawValue(definition, env, problems, onSecretFile);
    const parsed = definition.schema.safeParse(raw);
    if (problems.length > before) continue;
    if (raw !== undefined && isFromExample(raw, definition, parsed.success)) {
      problems.push(
        `${definition.env}: is the placeholder of an example; replace it with the complete value`,
      );
      continue;
    }
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${definition.env}: ${parsed.error.issues.map((issue) => issue.message).join('; ')}`);
  }
  const own = Object.values(settings).flatMap((definition) => [definition.env, `${definition.env}_FILE`]);
  problems.push(...misspeltSettings(env, own));
  if (problems.length > 0) throw new ConfigError(`The settings are not usable:\n  ${problems.join('\n  ')}`);
  return values as ConfigOf<S>;
}

/** Returns true if a value was copied from an example: it contains `…`, and is a secret or is also invalid. */
function isFromExample(raw: string, { secret }: Setting<unknown>, isValid: boolean): boolean {
  return isPlaceholder(raw) || ((secret || !isValid) && holdsEllipsis(raw));
}

/** Variables whose names resemble those of settings, mostly misspelt. `known` are the settings of all processes. */
export function unknownSettings(known: readonly Settings[], env: Environment): string[] {
  const names = new Set<string>();
  for (const settings of known) {
    for (const definition of Object.values(settings)) {
      names.add(definition.env);
      if (definition.secret) names.add(`${definition.env}_FILE`);
    }
  }
  return Object.keys(env).filter((name) => name.startsWith('TIDEWATCH_') && !names.has(name));
}

/** The default of a setting as text: its own words, or what its schema makes of a variable that is not set. */
export function defaultOf({ schema, default: shown }: Setting<unknown>): string {
  const { data = 'none' } = schema.safeParse(undefined);
  return shown ?? (typeof data === 'boolean' ? (data ? 'on' : 'off') : String(data));
}

/** The text of `--help`: each variable with its meaning, default and example. */
export function describeConfig(title: string, settings: Settings): string {
  const lines = [title, '', 'Settings, all by environment:', ''];
  for (const definition of Object.values(settings)) {
    lines.push(`  ${definition.env}${definition.secret ? ` (or ${definition.env}_FILE)` : ''}`);
    lines.push(`      ${definition.meaning}`);
    lines.push(`      Default: ${defaultOf(definition)}. Example: ${definition.example}`);
  }
  return `${lines.join('\n')}\n`;
}
