import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeNamedFolder } from '@tidewatch/runtime/process/make-folder';
import { readText } from '../data-directory/data-directory.ts';

export interface SecretsOptions {
  /** The folder of all secrets: a folder for each process, with its password, its addresses with passwords, or its key. */
  directory: string;
  /** The address of the database as `host:port/name`. */
  databaseAddress: string;
  /** `host:port` */
  redisAddress: string;
  /** Creates a password that needs no escaping in an address. */
  newPassword(): string;
  /** Creates a value of TIDEWATCH_SECRET_KEY. */
  newSecretKey(): string;
}

/** The folders that contain password and address of each database login. */
const LOGINS = {
  database: 'postgres',
  writer: 'tidewatch_writer_login',
  evaluator: 'tidewatch_evaluator_login',
  notifier: 'tidewatch_notifier_login',
  investigator: 'tidewatch_investigator_login',
  api: 'tidewatch_api_login',
};

/**
 * Creates missing passwords and the missing key, and rewrites addresses and configuration with them. Returns the created
 * files; can be repeated.
 */
export function makeSecrets(options: SecretsOptions): string[] {
  const { directory, databaseAddress, redisAddress } = options;
  const made: string[] = [];
  const once = (folder: string, name: string, make: () => string): string => {
    const file = join(directory, folder, name);
    const kept = readText(file);
    if (kept !== null) return kept;
    const secret = make();
    write(file, secret);
    made.push(file);
    return secret;
  };
  const passwordOf = (folder: string) => once(folder, 'password', options.newPassword);
  for (const [folder, login] of Object.entries(LOGINS)) {
    makeSecretsFolder(directory, folder);
    write(join(directory, folder, 'url'), `postgres://${login}:${passwordOf(folder)}@${databaseAddress}`);
  }
  makeSecretsFolder(directory, 'channels');
  once('channels', 'secret-key', options.newSecretKey);
  const redis = join(directory, 'redis');
  makeSecretsFolder(directory, 'redis');
  const password = passwordOf('redis');
  write(join(redis, 'url'), `redis://:${password}@${redisAddress}`);
  write(join(redis, 'redis.conf'), `requirepass ${password}`);
  const kafka = join(directory, 'kafka');
  makeSecretsFolder(directory, 'kafka');
  write(join(kafka, 'jaas.conf'), kafkaLogin(passwordOf('kafka')));
  return made;
}

function makeSecretsFolder(directory: string, name: string): void {
  makeNamedFolder('TIDEWATCH_SECRETS_DIR', join(directory, name));
}

/** The file for Kafka's `java.security.auth.login.config`: the logins of the broker, its only user, and its tools. */
function kafkaLogin(password: string): string {
  const module = 'org.apache.kafka.common.security.plain.PlainLoginModule required';
  const login = `username="tidewatch" password="${password}"`;
  const server = `KafkaServer { ${module} ${login} user_tidewatch="${password}"; };`;
  return `${server}\nKafkaClient { ${module} ${login}; };`;
}

// Readable by all, because the processes run as other users in containers that see only their own folder.
function write(file: string, text: string): void {
  if (readText(file) === text) return;
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, `${text}\n`, { mode: 0o444, flush: true });
  renameSync(temporary, file);
}
