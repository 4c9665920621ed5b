import { z } from 'zod';

/** The name of the file, beside the packages of the agent, that says which version they have. */
export const AGENT_RELEASE_FILE = 'agent.json';

/** The max size of a compressed executable, bytes. */
const MAX_FILE_BYTES = 256 * 1024 * 1024;

const version = z.string().regex(/^\d{1,6}\.\d{1,6}\.\d{1,6}$/);
const releaseFileSchema = z.object({
  /** The name below `/downloads/`, such as `tidewatch-agent-linux-x64.zst`. */
  name: z.string().regex(/^[a-z0-9][a-z0-9._-]{0,127}$/),
  bytes: z.int().min(1).max(MAX_FILE_BYTES),
  /** SHA-256 of the file, in hexadecimal digits. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The version of the agent that is served, and its executables, each compressed by zstd. */
export const agentReleaseSchema = z.object({
  version,
  files: z.array(releaseFileSchema).min(1).max(16),
  /** The Ed25519 signature of `signedTextOf` in base64; null where the build had no key. */
  signature: z.string().max(200).nullable(),
});

export type AgentRelease = z.infer<typeof agentReleaseSchema>;

/** The text that is signed: version, and sum, size and name of each file. */
export function signedTextOf({ version, files }: Pick<AgentRelease, 'version' | 'files'>): string {
  const lines = files.map(({ name, bytes, sha256 }) => `${sha256} ${bytes} ${name}\n`);
  return `tidewatch-agent ${version}\n${lines.join('')}`;
}
