const REFUSED_CERTIFICATE =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

/** Errors of the protocol that end a login. */
const REFUSED_LOGIN = /^(SASL_AUTHENTICATION_FAILED|UNSUPPORTED_SASL_MECHANISM|ILLEGAL_SASL_STATE)$/;

/** Describes why Kafka is unavailable in words that may be shown to users; the original message goes only to the log. */
export function describeKafkaFailure(error: unknown): string {
  if (isLoginFailure(error)) return 'Kafka refuses the login: its user, password or mechanism is wrong';
  const refusal = refusalOf(error);
  if (refusal !== null) return `Kafka refuses a request (${refusal})`;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = (cause as { code?: unknown }).code;
    if (typeof code === 'string' && REFUSED_CERTIFICATE.test(code))
      return `the certificate of Kafka's broker is not trusted (${code}): see the authorities that are configured`;
  }
  return 'Kafka cannot be reached';
}

/**
 * Returns true if Kafka's client gave up a login. It does so too where the connection ended during the login, for example because the
 * broker was about to start.
 */
function isLoginFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.name === 'KafkaJSSASLAuthenticationError' || REFUSED_LOGIN.test(typeOf(cause))) return true;
  return false;
}

/** Returns the name in Kafka's protocol of an error that is final for the request; null for any other. */
function refusalOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (typeOf(cause) !== '' && (cause as { retriable?: unknown }).retriable === false) return typeOf(cause);
  return null;
}

/** Returns the name of an error in Kafka's protocol, such as `GROUP_AUTHORIZATION_FAILED`; empty for other errors. */
function typeOf(error: Error): string {
  const { type } = error as { type?: unknown };
  return error.name.startsWith('KafkaJS') && typeof type === 'string' ? type : '';
}

/** Returns true if the error comes from Kafka's client, not from the store. */
export function isKafkaFailure(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('KafkaJS');
}
