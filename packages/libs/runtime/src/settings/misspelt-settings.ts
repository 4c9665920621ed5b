import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import { SETTING_NAMES } from './setting-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const KNOWN_NAMES: ReadonlySet<string> = new Set(SETTING_NAMES);
/** Variables of tests and compose files, which no process reads as settings. */
const OTHER_NAMES = /^TIDEWATCH_(TEST|E2E)_/;

/**
 * A sentence for each variable whose name resembles that of a setting, with a suggestion. The names in `own` are settings.
 */
export function misspeltSettings(env: Environment, own: readonly string[] = []): string[] {
  return Object.keys(env)
    .filter((name) => /^TIDE/i.test(name) && !KNOWN_NAMES.has(name) && !OTHER_NAMES.test(name))
    .filter((name) => !own.includes(name))
    .flatMap((name) => {
      const near = nearMiss(name, SETTING_NAMES);
      return near === undefined ? [] : [`${name} is no setting; did you mean ${near}?`];
    });
}

/** Logs the variables that begin with TIDEWATCH_ and are not settings of any process, nor resemble one. */
export function warnOfUnknownSettings(
  env: Environment,
  logger: { warn(fields: object, message: string): void },
): void {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('TIDEWATCH_') && !KNOWN_NAMES.has(name) && !OTHER_NAMES.test(name),
  );
  for (const variable of unknown) logger.warn({ variable }, 'an unknown setting is ignored');
}
