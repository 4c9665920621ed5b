import { existsSync, readFileSync } from 'node:fs';
import { createLifecycle } from '@tidewatch/runtime/process/lifecycle';
import { readConfig } from '@tidewatch/runtime/settings/config';
import { secretKeySettings } from '@tidewatch/runtime/settings/secret-key-settings';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { type RotatedKey, rotateSecretKey } from '@tidewatch/store/channels/rotate-key';
import { createSecretBox } from '@tidewatch/store/secrets/secret-box';
import { secretKeyFile, writeSecret } from '../data-directory/data-directory.ts';
import { type Installation, openInstallation } from '../installation/installation.ts';

export interface Rotation extends Installation {
  /** The files with the keys, in the form of `TIDEWATCH_SECRET_KEY`. */
  oldKeyFile: string;
  newKeyFile: string;
}

/**
 * Encrypts the secrets of all channels with a new key; in a data directory whose `secret-key` is the old key, also replaces
 * that file. Throws ConfigError if a file contains no key, and SecretKeyError if the old key is not the one in use; nothing
 * has changed then.
 */
export async function rotateSecrets(rotation: Rotation, now: number, logger: Logger): Promise<RotatedKey> {
  const { databaseUrl, directory } = rotation;
  const [old, next] = [readKey(rotation.oldKeyFile), readKey(rotation.newKeyFile)];
  const lifecycle = createLifecycle(logger);
  try {
    const store = await openInstallation(lifecycle, rotation, {
      applicationName: 'tidewatch-rotation',
      max: 1,
      now,
      logger,
    });
    const done = await rotateSecretKey(store.sql, createSecretBox(old), createSecretBox(next));
    if (databaseUrl === null) replaceKeptKey(directory, old, next);
    return done;
  } finally {
    await lifecycle.close();
  }
}

function readKey(file: string): Uint8Array {
  return readConfig(secretKeySettings, { TIDEWATCH_SECRET_KEY_FILE: file }).secretKey;
}

/** Replaces the key file after the database: a run that is interrupted between both can be repeated. */
function replaceKeptKey(directory: string, old: Uint8Array, next: Uint8Array): void {
  const file = secretKeyFile(directory);
  if (!existsSync(file)) return;
  const kept = readConfig(secretKeySettings, {
    TIDEWATCH_SECRET_KEY: readFileSync(file, 'utf8').trim(),
  }).secretKey;
  if (Buffer.compare(kept, old) === 0) writeSecret(file, Buffer.from(next).toString('hex'));
}
