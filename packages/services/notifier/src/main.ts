import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openService } from './service.ts';

await runService({
  name: 'notifier',
  title:
    'Decides which channels are notified of alerts, and delivers to Slack, email, webhooks and PagerDuty.',
  settings: processSettings,
  process,
  open: openService,
});
