/** Settings of the copies that scenarios start: destinations may be on the loopback, and digests are immediate. */
export const SETTINGS = { TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.0/8', TIDEWATCH_GROUP_SECONDS: '5' };
