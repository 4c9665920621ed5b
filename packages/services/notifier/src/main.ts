import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openOwnProcess } from './own-process.ts';

await runService({
  name: 'notifier',
  title:
    'Decides which channels are notified of alerts, and delivers to Slack, email, webhooks and PagerDuty.',
  settings: processSettings,
  process,
  open: openOwnProcess,
});
