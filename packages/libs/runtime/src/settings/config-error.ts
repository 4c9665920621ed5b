/** Reports all wrong settings at once, by name and without their values. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}
