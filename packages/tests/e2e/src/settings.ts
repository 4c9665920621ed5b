/** What the scenarios' own copies run with: receivers of the tests are on the loopback, and nobody waits for digests. */
export const SETTINGS = { TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.0/8', TIDEWATCH_GROUP_SECONDS: '5' };
