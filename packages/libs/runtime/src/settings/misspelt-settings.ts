import { nearMiss } from '@tidewatch/contracts/values/near-miss';
import { SETTING_NAMES } from './setting-names.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const KNOWN_NAMES: ReadonlySet<string> = new Set(SETTING_NAMES);
/** Of the tests and of compose files, which pass no value on. */
const OTHER_NAMES = /^TIDEWATCH_(TEST|E2E)_/;

/** A sentence for each variable that is nearly the name of a setting of some process, with that name. `own` names are taken. */
export function misspeltSettings(env: Environment, own: readonly string[] = []): string[] {
  return Object.keys(env)
    .filter((name) => /^TIDE/i.test(name) && !KNOWN_NAMES.has(name) && !OTHER_NAMES.test(name))
    .filter((name) => !own.includes(name))
    .flatMap((name) => {
      const near = nearMiss(name, SETTING_NAMES);
      return near === undefined ? [] : [`${name} is no setting; did you mean ${near}?`];
    });
}

/** Logs the variables that begin with TIDEWATCH_ and are a setting of no process, nor near to one. */
export function warnOfUnknownSettings(env: Environment, logger: { warn(message: string): void }): void {
  const unknown = Object.keys(env).filter(
    (name) => name.startsWith('TIDEWATCH_') && !KNOWN_NAMES.has(name) && !OTHER_NAMES.test(name),
  );
  for (const name of unknown) logger.warn(`${name} is no setting of any process and is ignored`);
}
