import { describe, expect, it } from 'vitest';
import { HIDDEN, redact } from './redact.ts';

const SECRETS: [what: string, text: string, secret: string][] = [
  ['a password as an option', 'pg_dump --password=hunter2 -h db', 'hunter2'],
  ['a password behind an option', 'tool --db-password hunter2 --verbose', 'hunter2'],
  ['a quoted password', `run --password "correct horse" now`, 'correct horse'],
  ['a variable', 'DB_PASSWORD=hunter2 node server.js', 'hunter2'],
  ['a variable without a separator', 'PGPASSWORD=hunter2 psql', 'hunter2'],
  ['a token in a query', 'GET /v1/x?access_token=abcdef&page=2', 'abcdef'],
  ['a secret in JSON', '{"client_secret":"s3cr3t","a":1}', 's3cr3t'],
  ['a secret in YAML', 'api_key: s3cr3t', 's3cr3t'],
  ['a passphrase', 'ssh-keygen -passphrase hunter2', 'hunter2'],
  ['mysql’s password', 'mysqldump -u root -phunter2 shop', 'hunter2'],
  ['mysql’s password apart', 'mysql -u root -p hunter2 shop', 'hunter2'],
  ['sshpass', 'sshpass -p hunter2 ssh a', 'hunter2'],
  ['redis-cli', 'redis-cli -h a -a hunter2 ping', 'hunter2'],
  ['curl’s user', 'curl -u admin:hunter2 x', 'hunter2'],
  ['a bearer', 'curl -H "Authorization: Bearer abc.def-123"', 'abc.def-123'],
  ['a basic header', 'Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['a bearer alone', 'bearer abcdef123', 'abcdef123'],
  ['an address with a password', 'postgres://app:hunter2@db:5432/shop', 'hunter2'],
  ['an address with a token', 'https://x-token@github.com/a/b', 'x-token'],
  ['an address with a slash in its password', 'amqp://app:hun/ter2@mq/v', 'hun/ter2'],
  ['an access key of AWS', 'aws AKIAIOSFODNN7EXAMPLE', 'AKIAIOSFODNN7EXAMPLE'],
  ['a secret key of AWS', 'x wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY=', 'bPxRfiCYEXAMPLEKEY'],
  ['a token of GitHub', 'ghp_16C7e42F292c6912E7710c838347Ae178B4a', 'ghp_'],
  ['a token of Slack', 'xoxb-123456789012-abcdefghij', 'xoxb'],
  ['a webhook of Slack', 'https://hooks.slack.com/services/T0/B0/XXXX', 'XXXX'],
  ['a key of OpenAI', 'sk-proj-abcdefghijklmnop1234', 'abcdefghijkl'],
  ['a key of Stripe', 'sk_live_abcdefghijklmnop', 'abcdefghijkl'],
  ['a key of Tidewatch', 'tw_ab12_0123456789abcdef01234567', '0123456789abcdef'],
  ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc', 'eyJzdWIi'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY----- MIIE -----END RSA PRIVATE KEY----- x', 'MIIE'],
  ['a private key that is cut', '-----BEGIN PRIVATE KEY----- MIIEabc', 'MIIEabc'],
  ['long hexadecimal', 'x 9f86d081884c7d659a2feaa0c55ad015', '9f86d081'],
  ['long base64', 'x Zm9vYmFyYmF6cXV4Zm9vYmFyMTIzNA==', 'Zm9vYmFy'],
];

const HARMLESS = [
  'nginx: worker process',
  '/usr/lib/jvm/java-17-openjdk-amd64/bin/java -Xmx4g -jar /opt/app.jar',
  'postgres: autovacuum launcher',
  'k8s_api_api-7c9d8f5b6c-x2v4z_default_0',
  'web-01.eu-central-1.example.com',
  'GET /api/v1/services/svc_0197f3a1c0de7b3c9a51d2e4f6a80b1c/metrics?metrics=cpu_percent',
  'container.memory_usage of registry.example.com:5000/team/api:1.4.2',
  'cpu_percent of web-01 rose from 22 to 96 at 14:31',
  'bypass-valve passport keepalived tokenizer-service',
  'https://example.com:8080/a/b?page=2',
];

describe('redact', () => {
  it.each(SECRETS)('hides %s', (_, text, secret) => {
    expect(text).toContain(secret);
    expect(redact(text)).not.toContain(secret);
    expect(redact(text)).toContain(HIDDEN);
  });

  it.each(HARMLESS)('keeps %s', (text) => {
    expect(redact(text)).toBe(text);
  });

  it('keeps the text around a secret', () => {
    expect(redact('pg_dump --password=hunter2 -h db')).toBe(`pg_dump --password=${HIDDEN} -h db`);
    expect(redact('postgres://app:hunter2@db:5432/shop')).toBe(`postgres://${HIDDEN}db:5432/shop`);
  });

  it.each(['a', '-', 'a_', 'a.-', 'pass', 'token-', '://', 'a:', 'A1a+', '"', ' -p ', 'mysql '])(
    'ends for long repetitions of %j',
    (part) => {
      expect(redact(part.repeat(2_048 / part.length)).length).toBeLessThanOrEqual(2_048);
    },
  );
});
