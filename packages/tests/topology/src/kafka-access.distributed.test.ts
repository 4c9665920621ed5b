import {
  type Installation,
  makeTopics,
  openInstallation,
  readinessOf,
} from '@tidewatch/harness/installation';
import { type SecureKafka, startSecureKafka } from '@tidewatch/harness/parts/secure-kafka';
import { kafkaObstacle } from '@tidewatch/stack/parts/kafka-distribution';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ingest } from './ingest.ts';

const WITHIN = { timeout: 60_000, interval: 250 };
const WRONG = 'not-the-password-of-anyone';
const possible = inject('kafka').state !== 'lacked' && kafkaObstacle() === null;

describe.skipIf(!possible)('[needs Kafka] brokers that want TLS or a login', () => {
  let kafka: SecureKafka;
  let installation: Installation;

  beforeAll(async () => {
    kafka = await startSecureKafka();
    installation = await openInstallation();
    const { username, password } = kafka;
    const access = {
      brokers: [kafka.saslPlaintext],
      sasl: { mechanism: 'plain' as const, username, password },
    };
    await makeTopics(access, installation.prefix, 6);
  }, 300_000);
  afterAll(async () => {
    await installation?.close();
    await kafka?.close();
  });

  const tls = (authority: string) => ({
    TIDEWATCH_KAFKA_TLS: 'on',
    TIDEWATCH_KAFKA_TLS_CA_FILE: authority,
  });
  const login = (mechanism: string, password = kafka.password) => ({
    TIDEWATCH_KAFKA_SASL_MECHANISM: mechanism,
    TIDEWATCH_KAFKA_SASL_USERNAME: kafka.username,
    TIDEWATCH_KAFKA_SASL_PASSWORD: password,
  });
  const on = (brokers: string, more: Record<string, string>) => ({
    TIDEWATCH_KAFKA_BROKERS: brokers,
    ...more,
  });

  it.each([
    ['TLS', () => on(kafka.tls, tls(kafka.authority))],
    ['TLS and PLAIN', () => on(kafka.sasl, { ...tls(kafka.authority), ...login('plain') })],
    ['TLS and SCRAM-SHA-256', () => on(kafka.sasl, { ...tls(kafka.authority), ...login('scram-sha-256') })],
    ['SCRAM-SHA-512 without TLS', () => on(kafka.saslPlaintext, login('scram-sha-512'))],
  ])('are published to by %s', async (_, settings) => {
    const gateway = await installation.start('gateway', settings());
    expect(await readinessOf(gateway)).toMatchObject({ code: 200, status: 'ready', reasons: [] });
    expect(await ingest(gateway, installation)).toMatchObject({ status: 200 });
    await gateway.stop();
  });

  it('can be used with TLS and SCRAM-SHA-512', async () => {
    const settings = on(kafka.sasl, { ...tls(kafka.authority), ...login('scram-sha-512') });
    const [gateway, writer, api] = await Promise.all([
      installation.start('gateway', settings),
      installation.start('writer', settings),
      installation.start('query-api'),
    ]);
    expect(await ingest(gateway, installation, { host: 'by-scram', metrics: {} })).toMatchObject({
      status: 200,
    });
    const listed = async () => {
      const headers = { 'x-api-key': installation.key };
      const response = await fetch(`${api.url}/api/v1/services?q=by-scram`, { headers });
      return ((await response.json()) as { services: unknown[] }).services;
    };
    await expect.poll(listed, WITHIN).toHaveLength(1);
    await Promise.all([gateway, writer, api].map((service) => service.stop()));
  });

  it.each([
    ['a wrong password', /refuses the login/, () => on(kafka.saslPlaintext, login('plain', WRONG))],
    [
      'a wrong password of SCRAM',
      /refuses the login/,
      () => on(kafka.saslPlaintext, login('scram-sha-256', WRONG)),
    ],
    [
      'another authority',
      /certificate of Kafka's broker is not trusted/,
      () => on(kafka.tls, tls(kafka.otherAuthority)),
    ],
    [
      "the system's authorities",
      /certificate of Kafka's broker is not trusted/,
      () => on(kafka.tls, { TIDEWATCH_KAFKA_TLS: 'on' }),
    ],
    [
      'TLS where there is none',
      /Kafka cannot be reached/,
      () => on(kafka.saslPlaintext, tls(kafka.authority)),
    ],
  ])(
    'with %s: readiness and log say so without a password, and ingest answers 503',
    async (_, why, settings) => {
      const gateway = await installation.start('gateway', settings(), { until: '/healthz' });
      const ready = () => readinessOf(gateway);
      await expect
        .poll(ready, WITHIN)
        .toMatchObject({ code: 503, status: 'unavailable', reasons: [expect.stringMatching(why)] });
      const served = () => ingest(gateway, installation).catch(() => null);
      await expect
        .poll(served, WITHIN)
        .toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) });
      expect(gateway.log()).toMatch(why);
      const exposed = gateway.log() + JSON.stringify(await ready());
      const databasePassword = new URL(installation.database.url).password;
      for (const secret of [WRONG, kafka.password, databasePassword]) expect(exposed).not.toContain(secret);
      await gateway.stop();
    },
  );

  it('that belong to another cluster than before make every service unready, with the remedy', async () => {
    const first = await installation.start('gateway', on(kafka.tls, tls(kafka.authority)));
    await first.stop();
    const why =
      /was read from the cluster \S+, and this is \S+\. .*"A topic that changed" in docs\/distributed\.md/;
    for (const role of ['gateway', 'writer', 'evaluator'] as const) {
      const service = await installation.start(role, {}, { until: '/healthz' });
      await expect
        .poll(() => readinessOf(service), WITHIN)
        .toMatchObject({ code: 503, role, reasons: [expect.stringMatching(why)] });
      expect(service.log()).toMatch(/"level":"?(fatal|60)/);
      await service.stop();
    }
  });
});
