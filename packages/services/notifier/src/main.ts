import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openService } from './service.ts';

await runService({
  name: 'notifier',
  title: 'Decides who is told of alerts, and tells Slack, email, webhooks and PagerDuty.',
  settings: processSettings,
  process,
  open: openService,
});
