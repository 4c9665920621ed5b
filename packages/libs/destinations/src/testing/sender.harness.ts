import type { Alert } from '@tidewatch/contracts/alerts/alert';
import type { ConfigByKind } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import { anEvent, NOW } from '@tidewatch/domain/notification/notice.fixture';
import type { Destination, Notice } from '../notice.ts';
import { createSender, type Sender, type SenderOptions } from '../sender.ts';

/** Opens a sender that may call the loopback and whose clock is fixed at NOW. */
export function openSender(options: Partial<SenderOptions> = {}): Sender {
  return createSender({
    allowPrivate: ['127.0.0.0/8'],
    email: null,
    publicUrl: null,
    clock: () => NOW,
    timeoutMs: 5_000,
    onFault(error) {
      throw error;
    },
    ...options,
  });
}

export function destination<K extends keyof ConfigByKind>(kind: K, config: ConfigByKind[K]): Destination {
  return { id: `chn_${'5'.repeat(32)}`, name: 'on call', kind, config } as Destination;
}

/** The notice about one alert; `transition` follows from its status unless given. */
export function noticeOf(alert: Alert, transition?: Notice['transition']): Notice {
  const by = alert.status === 'resolved' ? 'resolved' : 'fired';
  return { transition: transition ?? by, event: anEvent(alert), alerts: [alert] };
}

/** A digest of alerts. */
export function digestOf(alerts: [Alert, ...Alert[]]): Notice {
  return { transition: 'digest', event: anEvent(alerts[0]), alerts };
}
