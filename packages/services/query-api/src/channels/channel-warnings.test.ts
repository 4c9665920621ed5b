import type { StoredChannel } from '@tidewatch/contracts/channels/channel';
import { expect, it } from 'vitest';
import { withWarnings } from './channel-warnings.ts';

it.each([
  ['email', false, ['mail_server_not_configured']],
  ['email', true, []],
  ['slack', false, []],
] as const)(
  'a channel of the kind %s, a mail server configured: %s, carries %j',
  (kind, hasMailServer, codes) => {
    const { warnings } = withWarnings({ kind } as StoredChannel, hasMailServer);
    expect(warnings.map(({ code }) => code)).toEqual(codes);
  },
);
