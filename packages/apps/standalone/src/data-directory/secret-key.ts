import { randomBytes } from 'node:crypto';
import { StartRefusedError } from '@tidewatch/runtime/process/run';
import { readConfig } from '@tidewatch/runtime/settings/config';
import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { secretKeySettings } from '@tidewatch/runtime/settings/secret-key-settings';
import { SECRET_KEY_BYTES } from '@tidewatch/store/secrets/secret-box';
import { readText, secretKeyFile, writeSecret } from './data-directory.ts';

/**
 * The key that encrypts the secrets of channels: the given one, or that of the data directory, created there at the first
 * start in a file of mode 0600. Throws StartRefusedError if the file contains no valid key.
 */
export function prepareSecretKey(directory: string, given: Uint8Array | undefined): Uint8Array {
  if (given !== undefined) return given;
  const file = secretKeyFile(directory);
  const kept = readText(file);
  if (kept !== null) return parseKey(kept, file);
  const made = randomBytes(SECRET_KEY_BYTES);
  writeSecret(file, made.toString('hex'));
  return made;
}

function parseKey(text: string, file: string): Uint8Array {
  try {
    return readConfig(secretKeySettings, { TIDEWATCH_SECRET_KEY: text }).secretKey;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new StartRefusedError(
      `${file} does not hold a key of 32 bytes. Put it back from where you keep it; without it the secrets of channels ` +
        'have to be entered again, after the file is removed.',
    );
  }
}
