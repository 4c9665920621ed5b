import type { Bus } from '@tidewatch/bus/bus';
import { TOPICS } from '@tidewatch/contracts/events/topic';
import { newId } from '@tidewatch/contracts/values/id';
import type { Sql, Transaction } from '@tidewatch/database/connection';
import type { BackendService, ServiceEnvironment } from '@tidewatch/runtime/process/backend-service';
import type { ConfigOf } from '@tidewatch/runtime/settings/config';
import { consoleUrl } from '@tidewatch/runtime/settings/console-settings';
import { readHeartbeat } from '@tidewatch/runtime/settings/heartbeat-settings';
import { secretKeyProbe } from '@tidewatch/store/channels/secret-key-probe';
import type { SecretBox } from '@tidewatch/store/secrets/secret-box';
import { createChannelSource } from './channel-source.ts';
import type { notifierSettings } from './config.ts';
import { createNotifier, type NotifierOptions } from './notifier.ts';

export interface NotifierEnvironment
  extends ServiceEnvironment,
    Pick<NotifierOptions, 'sender' | 'isWriterMoving'> {
  bus: Pick<Bus<Transaction>, 'subscribe'>;
  sql: Sql;
  secrets: SecretBox;
  config: ConfigOf<typeof notifierSettings>;
}

/** The notifier: consumes events, decides which channels are notified, and delivers. */
export function openNotifier(environment: NotifierEnvironment): BackendService {
  const { bus, config, sql, secrets } = environment;
  const notifier = createNotifier({
    ...environment,
    newId,
    random: Math.random,
    ...createChannelSource(sql, secrets),
    publicUrl: consoleUrl(config),
    ...readHeartbeat(config),
    groupedForMs: config.groupSeconds * 1_000,
  });
  bus.subscribe(TOPICS.events, notifier.consumer);
  return {
    parts: [{ name: 'delivery', starts: 'before the bus', start: notifier.start, stop: notifier.stop }],
    missing: { notifications: notifier.reasons },
    degraded: { 'secret key': secretKeyProbe(sql, secrets) },
  };
}
