import { createServer } from 'vite';
import { consoleConfig } from './console-config.ts';

const target = process.env.TIDEWATCH_URL ?? 'http://127.0.0.1:8230';
const proxied = ['/api', '/readyz', '/healthz', '/docs', '/openapi.json', '/problems'];
const server = await createServer({
  ...consoleConfig('dist'),
  server: {
    host: '127.0.0.1',
    port: 8231,
    strictPort: true,
    // The API refuses requests of other origins, so that the development server forwards them.
    proxy: Object.fromEntries(
      proxied.map((path) => [path, { target, changeOrigin: true, headers: { origin: target } }]),
    ),
  },
});
await server.listen();
console.log(`The console is at ${server.resolvedUrls?.local[0]}, with the API of ${target}.`);
