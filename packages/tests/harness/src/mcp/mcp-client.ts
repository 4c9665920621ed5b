import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** What a tool answered. */
export interface ToolAnswer {
  isError: boolean;
  /** The size of the text, bytes. */
  bytes: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read members of answers whose schemas are tested elsewhere.
  body: any;
}

/** A client of MCP with one key. */
export interface McpClient {
  client: Client;
  /** Calls a tool, whose answer has to be one text of JSON. */
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Connects a client of the official SDK to the server at `url`, by the newest revision of the protocol or by the last of 2025. */
export async function connectMcp(
  url: string,
  key: string,
  revision: 'newest' | '2025' = 'newest',
): Promise<McpClient> {
  const options = revision === 'newest' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const client = new Client({ name: 'tests', version: '1' }, options);
  const headers = { Authorization: `Bearer ${key}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }),
  );
  return {
    client,
    async call(name, given = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: given });
      const [first, ...more] = content;
      if (first?.type !== 'text' || more.length > 0) throw new Error(`${name} answered no single text`);
      const { text } = first;
      return { isError, bytes: Buffer.byteLength(text), text, body: JSON.parse(text) };
    },
    close: () => client.close(),
  };
}
