import { expect, test } from 'vitest';
import { serviceEnvironment, settingsOnly } from './service-environment.ts';
import { serviceSettings } from './service-settings.ts';

const GIVEN = {
  PATH: '/usr/bin',
  AWS_SECRET_ACCESS_KEY: 'somebody else’s',
  TIDEWATCH_LOG_LEVEL: 'warn',
  TIDEWATCH_BOOTSTRAP_KEY: 'k'.repeat(40),
  TIDEWATCH_KAFKA_BROKERS: '127.0.0.1:9092',
  TIDEWATCH_OTLP_GRPC_PORT: '4317',
  TIDEWATCH_KAFKA_SASL_USERNAME: 'tidewatch',
  TIDEWATCH_KAFKA_SASL_PASSWORD: 'secret',
  TIDEWATCH_EMAIL_SMTP_URL: 'smtps://user:secret@mail',
};

test('services get the settings of Tidewatch and variables that programs need, and nothing that the stack sets itself', () => {
  const { PATH, TIDEWATCH_LOG_LEVEL } = GIVEN;
  const passed = serviceEnvironment(GIVEN);
  expect(passed).toMatchObject({ PATH, TIDEWATCH_LOG_LEVEL, TIDEWATCH_KAFKA_SASL_PASSWORD: 'secret' });
  const kept = ['TIDEWATCH_BOOTSTRAP_KEY', 'TIDEWATCH_KAFKA_BROKERS', 'TIDEWATCH_OTLP_GRPC_PORT'];
  for (const name of ['AWS_SECRET_ACCESS_KEY', ...kept]) expect(passed).not.toHaveProperty(name);
});

test.each([
  ['proxy', false],
  ['query-api', false],
  ['gateway', true],
  ['writer', true],
  ['evaluator', true],
  ['notifier', true],
  ['investigator', true],
] as const)('the %s is given the login of Kafka only if it talks to Kafka', (role, talks) => {
  const passed = settingsOnly(serviceSettings[role], GIVEN);
  expect('TIDEWATCH_KAFKA_SASL_PASSWORD' in passed).toBe(talks);
  expect('TIDEWATCH_KAFKA_BROKERS' in passed).toBe(talks);
  expect(passed).toMatchObject({ PATH: '/usr/bin', TIDEWATCH_LOG_LEVEL: 'warn' });
});

test('the mail server is passed only to services that send email, also as a file', () => {
  const given = { ...GIVEN, TIDEWATCH_EMAIL_SMTP_URL_FILE: '/run/smtp' };
  const having = (name: string) =>
    Object.entries(serviceSettings).flatMap(([role, settings]) =>
      name in settingsOnly(settings, given) ? [role] : [],
    );
  expect(having('TIDEWATCH_EMAIL_SMTP_URL')).not.toContain('writer');
  expect(having('TIDEWATCH_EMAIL_SMTP_URL')).toContain('notifier');
  expect(having('TIDEWATCH_EMAIL_SMTP_URL_FILE')).toEqual(having('TIDEWATCH_EMAIL_SMTP_URL'));
});
