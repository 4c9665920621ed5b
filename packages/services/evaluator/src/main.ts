import { runService } from '@tidewatch/runtime/process/service-process';
import { processSettings } from './config.ts';
import { openService } from './service.ts';

await runService({
  name: 'evaluator',
  title: 'Evaluates samples by rules, silence and missing data, and emits events.',
  settings: processSettings,
  process,
  open: openService,
});
