import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openOwnProcess } from './own-process.ts';

await runService({
  name: 'writer',
  title: 'Stores samples, rolls them up, keeps what retention says.',
  settings: processSettings,
  process,
  open: openOwnProcess,
});
