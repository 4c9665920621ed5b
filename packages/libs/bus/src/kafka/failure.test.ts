import { describe, expect, it } from 'vitest';
import { kafkajs } from './client.ts';
import { describeKafkaFailure } from './failure.ts';

const { KafkaJSError, KafkaJSNonRetriableError, KafkaJSProtocolError } = kafkajs;

const named = (name: string) => Object.assign(new KafkaJSError('no'), { name });

const protocol = (type: string, code: number, retriable: boolean) =>
  new KafkaJSProtocolError(Object.assign(new Error('the words of the broker'), { type, code, retriable }));

/** As the client's retries pass an error on. */
const givenUp = (cause: Error) => Object.assign(new KafkaJSNonRetriableError(cause), { cause });

describe('a failure of Kafka is described', () => {
  it.each([
    ['a refused login', named('KafkaJSSASLAuthenticationError')],
    ['a refused login that was given up', givenUp(named('KafkaJSSASLAuthenticationError'))],
    ['a request before the login', givenUp(protocol('ILLEGAL_SASL_STATE', 34, false))],
    ['another mechanism', protocol('UNSUPPORTED_SASL_MECHANISM', 33, false)],
  ])('as a refused login: %s', (_case, error) => {
    expect(describeKafkaFailure(error)).toMatch(/^Kafka refuses the login/);
  });

  it.each(['GROUP_AUTHORIZATION_FAILED', 'INCONSISTENT_GROUP_PROTOCOL'])(
    'by the name of what was refused, without the words of the broker: %s',
    (type) => {
      expect(describeKafkaFailure(givenUp(protocol(type, 1, false)))).toBe(
        `Kafka refuses a request (${type})`,
      );
    },
  );

  it.each([
    ['a lost connection', named('KafkaJSConnectionError')],
    ['a leader that moves', protocol('LEADER_NOT_AVAILABLE', 5, true)],
    ['an error of another part', Object.assign(new Error('no'), { type: 'x', retriable: false })],
  ])('as out of reach: %s', (_case, error) => {
    expect(describeKafkaFailure(error)).toBe('Kafka cannot be reached');
  });

  it('with the reason for which a certificate is not trusted', () => {
    const error = Object.assign(new Error('no'), { code: 'CERT_HAS_EXPIRED' });
    expect(describeKafkaFailure(givenUp(error))).toMatch(/not trusted \(CERT_HAS_EXPIRED\)/);
  });
});
