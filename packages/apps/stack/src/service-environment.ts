import type { Settings } from '@tidewatch/runtime/config';

/** Variables that the stack sets for each process itself, or that are its own. */
const OWN =
  /^TIDEWATCH_(TEST_|DATA_DIR|HOST|PORT|BOOTSTRAP_KEY|LOCAL_AGENT|ADMIN_|DATABASE_URL|KAFKA_BROKERS|REDIS_URL|SECRET_KEY)/;

/** What services get of our own environment: settings of the product, and what programs need to run. */
export function serviceEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || OWN.test(name)) continue;
    if (
      name.startsWith('TIDEWATCH_') ||
      ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'].includes(name)
    )
      passed[name] = value;
  }
  return passed;
}

/** Of `env` what a process with these settings reads, by a variable or by the file that `<variable>_FILE` names, and what programs need. */
export function settingsOnly(
  settings: Settings,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const read = new Set(Object.values(settings).flatMap(({ env: name }) => [name, `${name}_FILE`]));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('TIDEWATCH_') || read.has(name)),
  );
}
