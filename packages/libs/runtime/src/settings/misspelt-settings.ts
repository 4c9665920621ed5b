import { nearMiss } from '@tidewatch/contracts/problems/near-miss';
import { SETTING_NAMES } from './setting-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const KNOWN_NAMES: ReadonlySet<string> = new Set(SETTING_NAMES);
/** Variables of the tests and of compose files. */
const OTHER_NAMES = /^TIDEWATCH_(TEST|E2E)_/;

/** A sentence for each variable whose name resembles that of a setting, with that name. `own` names are known. */
export function misspeltSettings(env: Environment, own: readonly string[] = []): string[] {
  return Object.keys(env)
    .filter((name) => /^TIDE/i.test(name) && !KNOWN_NAMES.has(name) && !OTHER_NAMES.test(name))
    .filter((name) => !own.includes(name))
    .flatMap((name) => {
      const near = nearMiss(name, SETTING_NAMES);
      return near === undefined ? [] : [`${name} is no setting; did you mean ${near}?`];
    });
}

/** Logs the variables that begin with TIDEWATCH_ and neither are nor resemble a setting of any process. */
export function warnOfUnknownSettings(
  env: Environment,
  logger: { warn(fields: object, message: string): void },
): void {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('TIDEWATCH_') && !KNOWN_NAMES.has(name) && !OTHER_NAMES.test(name),
  );
  for (const variable of unknown) logger.warn({ variable }, 'an unknown setting is ignored');
}
