const REFUSED_CERTIFICATE =
  /^(CERT_|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|HOSTNAME_MISMATCH|ERR_TLS_CERT)/;

/** Describes why Kafka is unavailable in words that may be shown to users; the original message goes only to the log. */
export function describeKafkaFailure(error: unknown): string {
  if (isLoginFailure(error)) return 'Kafka refuses the login: its user, password or mechanism is wrong';
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
export function isLoginFailure(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.name === 'KafkaJSSASLAuthenticationError') return true;
  return false;
}

/** Returns true if the error comes from Kafka's client, not from the store. */
export function isKafkaFailure(error: unknown): boolean {
  return error instanceof Error && error.name.startsWith('KafkaJS');
}
