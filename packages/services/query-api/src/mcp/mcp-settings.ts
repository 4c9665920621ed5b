import { onOff, setting } from '@tidewatch/runtime/settings/config';

/** The settings of the process that serves MCP. */
export const mcpSettings = {
  hasMcp: setting({
    env: 'TIDEWATCH_MCP',
    schema: onOff().default(true),
    meaning: 'Whether assistants may connect to /mcp by the Model Context Protocol, with a key of their own.',
    example: 'off',
  }),
};
