#!/usr/bin/env node
// The command as npm links it: started by whatever Node there is, it runs on one that understands TypeScript.
process.argv.splice(2, 0, 'packages/apps/cli/src/main.ts');
await import('../../../tools/src/launch.mjs');
