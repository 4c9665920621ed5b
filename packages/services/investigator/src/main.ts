import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openService } from './service.ts';

await runService({
  name: 'investigator',
  title: 'Looks for the cause of alerts, in what is stored.',
  settings: processSettings,
  process,
  open: openService,
});
