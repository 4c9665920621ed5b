import type { Settings } from '@tidewatch/runtime/settings/config';

/** Variables that any program may need to start. */
const PROGRAMS_NEED = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR'];
/** Variables that third-party parts read: the Java that Kafka runs on. */
const PARTS_READ = ['JAVA_HOME', 'LD_LIBRARY_PATH'];

/** Variables that the stack sets for each process, or that only the stack reads. */
const OWN =
  /^TIDEWATCH_(TEST_|DATA_DIR|HOST|PORT|OTLP_GRPC_PORT|BOOTSTRAP_KEY|LOCAL_AGENT|ADMIN_|DATABASE_URL|KAFKA_BROKERS|REDIS_URL|SECRET_KEY)/;

/** The variables that services inherit: settings of Tidewatch, and those that programs need to run. */
export function serviceEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined || OWN.test(name)) continue;
    if (
      name.startsWith('TIDEWATCH_') ||
      [...PROGRAMS_NEED, 'NODE_OPTIONS', 'NODE_COMPILE_CACHE'].includes(name)
    )
      passed[name] = value;
  }
  return passed;
}

/** The variables that Kafka and Redis inherit, which contain no setting and no secret. */
export function partEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const name of [...PROGRAMS_NEED, ...PARTS_READ]) {
    const value = env[name];
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}

/** Removes settings of Tidewatch that this process does not read, directly or by `<variable>_FILE`; other variables stay. */
export function settingsOnly(
  settings: Settings,
  env: Readonly<Record<string, string>>,
): Record<string, string> {
  const read = new Set(Object.values(settings).flatMap(({ env: name }) => [name, `${name}_FILE`]));
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !name.startsWith('TIDEWATCH_') || read.has(name)),
  );
}
