import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { startKafkaBroker } from '@tidewatch/stack/parts/kafka-broker';
import { fetchKafka } from '@tidewatch/stack/parts/kafka-distribution';

/** A Kafka broker of one suite with TLS, and with a login on some listeners. */
export interface SecureKafka {
  /** The address of the listener with TLS and without a login. */
  tls: string;
  /** The address of the listener with TLS and a login by PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512. */
  sasl: string;
  /** The address of the listener with a login and without TLS. */
  saslPlaintext: string;
  username: string;
  password: string;
  /** The PEM file of the authority that signed the broker's certificate, and that of another authority. */
  authority: string;
  otherAuthority: string;
  close(): Promise<void>;
}

const STORE_PASSWORD = 'of-the-key-store';
const USERNAME = 'tidewatch';
const PASSWORD = 'correct-horse-battery';
const SCRAM = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];
const PLAIN_MODULE = 'org.apache.kafka.common.security.plain.PlainLoginModule';
const SCRAM_MODULE = 'org.apache.kafka.common.security.scram.ScramLoginModule';

/** Starts the broker, with an authority and a certificate for 127.0.0.1 created by Java's keytool. */
export async function startSecureKafka(): Promise<SecureKafka> {
  const home = mkdtempSync(join(tmpdir(), 'tidewatch-secure-kafka-'));
  const [port, tls, sasl, saslPlaintext] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const controllerPort = await freePort();
  const keys = join(home, 'keys');
  mkdirSync(keys);
  const certificates = makeCertificates(keys);
  const names = { PLAINTEXT: port, SSL: tls, SASL_SSL: sasl, SASL_PLAINTEXT: saslPlaintext };
  const listeners = Object.entries(names).map(([name, at]) => `${name}://127.0.0.1:${at}`);
  const broker = await startKafkaBroker({
    distribution: fetchKafka(),
    home,
    port,
    controllerPort,
    properties: {
      listeners: [...listeners, `CONTROLLER://127.0.0.1:${controllerPort}`].join(','),
      'advertised.listeners': listeners.join(','),
      'listener.security.protocol.map': [
        ...Object.keys(names).map((name) => `${name}:${name}`),
        'CONTROLLER:PLAINTEXT',
      ].join(','),
      'ssl.keystore.location': certificates.keyStore,
      'ssl.keystore.password': STORE_PASSWORD,
      ...loginsOf('sasl_ssl'),
      ...loginsOf('sasl_plaintext'),
    },
    formatArguments: SCRAM.flatMap((mechanism) => [
      '--add-scram',
      `${mechanism}=[name=${USERNAME},password=${PASSWORD}]`,
    ]),
  });
  return {
    tls: `127.0.0.1:${tls}`,
    sasl: `127.0.0.1:${sasl}`,
    saslPlaintext: `127.0.0.1:${saslPlaintext}`,
    username: USERNAME,
    password: PASSWORD,
    authority: certificates.authority,
    otherAuthority: certificates.otherAuthority,
    close: async () => {
      await broker.stop();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function loginsOf(listener: string): Record<string, string> {
  const scram = SCRAM.map((mechanism) => [
    `listener.name.${listener}.${mechanism.toLowerCase()}.sasl.jaas.config`,
    `${SCRAM_MODULE} required;`,
  ]);
  return {
    [`listener.name.${listener}.sasl.enabled.mechanisms`]: ['PLAIN', ...SCRAM].join(','),
    [`listener.name.${listener}.plain.sasl.jaas.config`]: `${PLAIN_MODULE} required user_${USERNAME}="${PASSWORD}";`,
    ...Object.fromEntries(scram),
  };
}

function makeCertificates(folder: string) {
  const file = (name: string) => join(folder, name);
  const keytool = (store: string, ...args: string[]) => {
    const shared = ['-storetype', 'PKCS12', '-keystore', file(store), '-storepass', STORE_PASSWORD];
    const done = spawnSync('keytool', [...args, ...shared], { encoding: 'utf8', timeout: 60_000 });
    if (done.status !== 0) throw new Error(`keytool ${args[0]} failed:\n${done.stdout}${done.stderr}`);
  };
  const make = (store: string, alias: string, ...more: string[]) =>
    keytool(store, '-genkeypair', '-alias', alias, '-dname', `CN=${alias}`, '-keyalg', 'EC', ...more);
  const write = (store: string, alias: string, to: string) =>
    keytool(store, '-exportcert', '-rfc', '-alias', alias, '-file', file(to));
  const take = (alias: string, from: string) =>
    keytool('broker.p12', '-importcert', '-noprompt', '-alias', alias, '-file', file(from));
  for (const name of ['authority', 'other']) {
    make(`${name}.p12`, name, '-ext', 'bc:c');
    write(`${name}.p12`, name, `${name}.pem`);
  }
  make('broker.p12', 'broker');
  keytool('broker.p12', '-certreq', '-alias', 'broker', '-file', file('broker.csr'));
  const names = 'san=ip:127.0.0.1,dns:localhost';
  const signing = ['-infile', file('broker.csr'), '-outfile', file('broker.pem'), '-ext', names, '-rfc'];
  keytool('authority.p12', '-gencert', '-alias', 'authority', ...signing);
  take('authority', 'authority.pem');
  take('broker', 'broker.pem');
  return {
    keyStore: file('broker.p12'),
    authority: file('authority.pem'),
    otherAuthority: file('other.pem'),
  };
}
