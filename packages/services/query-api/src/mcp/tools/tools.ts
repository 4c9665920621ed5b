import { ALERT_TOOLS } from './alert-tools.ts';
import { HOST_TOOLS } from './host-tools.ts';
import { INVESTIGATION_TOOLS } from './investigation-tools.ts';
import { METRIC_TOOLS } from './metric-tools.ts';
import { RULE_TOOLS } from './rule-tools.ts';
import { SILENCE_TOOLS } from './silence-tools.ts';
import type { Tool } from './tool.ts';

/** Every tool, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  ...HOST_TOOLS,
  ...METRIC_TOOLS,
  ...ALERT_TOOLS,
  ...INVESTIGATION_TOOLS,
  ...RULE_TOOLS,
  ...SILENCE_TOOLS,
];
