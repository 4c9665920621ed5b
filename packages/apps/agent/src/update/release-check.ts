import { createPublicKey, verify } from 'node:crypto';
import {
  type AgentRelease,
  agentReleaseSchema,
  signedTextOf,
} from '@tidewatch/contracts/agent/agent-release';
import { RefusedUpdateError } from './refused-update.ts';

/**
 * Reads the text of agent.json and verifies its signature by `publicKey` (SPKI, DER in base64). Throws a RefusedUpdateError with what is wrong.
 */
export function readRelease(text: string, publicKey: string): AgentRelease {
  const release = agentReleaseSchema.safeParse(parse(text)).data;
  if (release === undefined)
    throw new RefusedUpdateError(
      'the answer to /downloads/agent.json is no description of a version of the agent',
    );
  if (release.signature === null)
    throw new RefusedUpdateError(
      'the served version is not signed: build it by "npm run build:agent -- --signing-key FILE"',
    );
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  const signature = Buffer.from(release.signature, 'base64');
  if (!verify(null, Buffer.from(signedTextOf(release)), key, signature))
    throw new RefusedUpdateError('the signature of the served version is not by the key of this agent');
  return release;
}

/** Compares two versions of the form 1.2.3: below 0 if `a` is older, 0 if both are the same. */
export function compareVersions(a: string, b: string): number {
  const others = b.split('.').map(Number);
  const differences = a.split('.').map((number, index) => Number(number) - (others[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
