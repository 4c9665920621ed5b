/** The ways to send samples of a machine, in the order of their tabs. */
export const WAYS = { install: 'Linux', agent: 'Checkout', docker: 'Docker', curl: 'curl' } as const;

export type Way = keyof typeof WAYS;

/** What each command needs, and what it does. */
export const WAY_NOTES: Readonly<Record<Way, string>> = {
  install:
    'On Linux with glibc, as root or with sudo. Installs the agent as a service, or updates it. Where Tidewatch runs, “npm run build:agent” has to have made the packages once.',
  agent:
    'In a checkout of Tidewatch, also on Windows and macOS, where it reports less. The agent reports the machine every 10 s until it is stopped. docs/agent.md has how to build executables for these systems.',
  docker:
    'In a checkout of Tidewatch. The first run builds the image. The agent is the container tidewatch-agent, which starts again with the machine.',
  curl: 'One sample of any program: put in the name and the values of the machine.',
};

/** Stands in a command until there is a key. */
export const NO_SECRET = 'tw_…';

/** What limits the container of the agent, as in docker-compose.yml. */
const LIMITS = '--read-only --cap-drop ALL --security-opt no-new-privileges --memory 256m';

const SAMPLE = { host: 'web-01', metrics: { cpu_percent: 12.5, memory_percent: 40.1 } };

/** The command that reports a machine to the Tidewatch at `url`, with the secret of a key. */
export function commandOf(way: Way, url: string, secret: string): string {
  switch (way) {
    case 'install':
      return `curl -fsSL ${url}/install.sh | TIDEWATCH_API_KEY=${secret} sh -s -- --url ${url}`;
    case 'agent':
      return `TIDEWATCH_API_KEY=${secret} npm run agent -- --url ${url}`;
    case 'docker':
      return [
        'docker build --tag tidewatch:local --file deploy/Dockerfile . &&',
        `docker run --name tidewatch-agent --detach --restart unless-stopped ${LIMITS} --network host --pid host`,
        `--env TIDEWATCH_API_KEY=${secret} tidewatch:local packages/apps/agent/src/main.ts --url ${url}`,
      ].join(' ');
    case 'curl':
      return [
        `curl ${url}/api/v1/ingest --header 'X-API-Key: ${secret}'`,
        `--header 'Content-Type: application/json' --data '${JSON.stringify(SAMPLE)}'`,
      ].join(' ');
  }
}

/** The address for a command: the one at which this page was opened, unless only the public one reaches other machines. */
export function addressFor(origin: string, publicUrl: string | null): string {
  const isPublicBetter = publicUrl !== null && isLoopback(origin) && !isLoopback(publicUrl);
  return (isPublicBetter ? publicUrl : origin).replace(/\/+$/, '');
}

/** Whether only programs on the same machine reach the address. */
export function isLoopback(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
