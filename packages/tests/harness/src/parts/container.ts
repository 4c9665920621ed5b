import { setTimeout as sleep } from 'node:timers/promises';

/** The max time for downloading an image, ms. */
const FETCH_WITHIN_MS = 600_000;

/**
 * Why no container of this image can be started here, or null. Downloads a missing image. Unless containers are `kept` for
 * the next run, testcontainers' reaper must be able to run. `TIDEWATCH_TEST_CONTAINERS=off` disables Docker.
 */
export async function containerObstacle(image: string, { kept }: { kept: boolean }): Promise<string | null> {
  if (process.env.TIDEWATCH_TEST_CONTAINERS === 'off') return 'TIDEWATCH_TEST_CONTAINERS is off';
  const docker = await openDocker();
  if (docker === null) return 'Docker does not answer';
  const { client } = docker;
  const name = docker.nameOf(image);
  try {
    if (!(await client.image.exists(name))) {
      const fetching = client.image.pull(name, { force: false, platform: undefined });
      await Promise.race([fetching, sleep(FETCH_WITHIN_MS, undefined, { ref: false })]);
    }
    if (!(await client.image.exists(name))) return `the image ${image} could not be fetched`;
    if (!kept || process.env.TESTCONTAINERS_REUSE_ENABLE === 'false') await docker.startReaper();
    return null;
  } catch (error) {
    return `no container of ${image}: ${(error as Error).message}`;
  }
}

/** The image with its digest, if it was published; an image built on this machine has none. */
export async function describeImage(image: string): Promise<string> {
  const docker = await openDocker();
  const inspected = await docker?.client.image.inspect(docker.nameOf(image));
  const [digest] = inspected?.RepoDigests ?? [];
  return digest ?? `an image built on this machine under the name ${image}`;
}

/** The host name or address at which ports of containers are reachable. */
export async function dockerHost(): Promise<string> {
  const docker = await openDocker();
  return docker?.client.info.containerRuntime.host ?? 'localhost';
}

// Loads the Docker library only when a container is started, because loading takes longer than most suites.
async function openDocker() {
  const { getContainerRuntimeClient, getReaper, ImageName } = await import('testcontainers');
  try {
    const client = await getContainerRuntimeClient();
    return {
      client,
      nameOf: (image: string) => ImageName.fromString(image),
      startReaper: () => getReaper(client),
    };
  } catch {
    return null;
  }
}
