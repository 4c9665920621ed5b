/** A real part (a server) for suites, or the reason why there is none. */
export type Part<Address> =
  | { state: 'given' | 'started'; address: Address; detail: string }
  | { state: 'lacked'; detail: string };

/** A server that was started for tests. */
export interface PartServer<Address> {
  address: Address;
  /** A description of the server for the report of the run. */
  detail: string;
  close(): Promise<void>;
}

/** A way to start a server on this machine, for example in a container. */
export interface Way<Server, Options = never> {
  /** Returns why this way is impossible on this machine, or null. Downloads what the server needs. */
  obstacle(): string | null | Promise<string | null>;
  start(options?: Options): Promise<Server>;
}

export const WAYS = ['container', 'native'] as const;
export type WayName = (typeof WAYS)[number];

/** The sources of a part, in the order in which they are tried: the environment, a container, a native server. */
export interface PartSource<Address, Server = PartServer<Address>, Options = never> {
  /** The name of the part in `[needs …]`. */
  name: string;
  /** The environment variable with the address of an existing server. */
  variable: string;
  /** Parses the address. Throws if the text is none. */
  read(text: string): Address;
  ways: Readonly<Record<WayName, Way<Server, Options>>>;
}

export type Choice<Address> =
  | { state: 'given'; address: Address; detail: string }
  | { state: 'startable'; way: WayName }
  | { state: 'lacked'; detail: string };

/** Chooses the source of a part, without starting it. */
export async function choosePart<Address, Server, Options>(
  source: PartSource<Address, Server, Options>,
): Promise<Choice<Address>> {
  const given = process.env[source.variable];
  if (given) return { state: 'given', address: source.read(given), detail: `from ${source.variable}` };
  const obstacles: string[] = [];
  for (const way of WAYS) {
    const obstacle = await source.ways[way].obstacle();
    if (obstacle === null) return { state: 'startable', way };
    obstacles.push(`${way}: ${obstacle}`);
  }
  return { state: 'lacked', detail: obstacles.join('; ') };
}

/** An opened part, and the function that closes it. */
export interface OpenPart<Address> {
  part: Part<Address>;
  close(): Promise<void>;
}

/** Finds or starts one server of a part. */
export async function openPart<Address>(source: PartSource<Address>): Promise<OpenPart<Address>> {
  const choice = await choosePart(source);
  if (choice.state !== 'startable') return { part: choice, close: async () => undefined };
  const server = await source.ways[choice.way].start();
  const { address, detail } = server;
  return { part: { state: 'started', address, detail }, close: () => server.close() };
}
