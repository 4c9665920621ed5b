/**
 * Settings of the copies that scenarios start: channels may call the loopback interface, and digests are sent without
 * delay.
 */
export const SETTINGS = { TIDEWATCH_ALLOW_PRIVATE_DESTINATIONS: '127.0.0.0/8', TIDEWATCH_GROUP_SECONDS: '5' };
