import { Agent, request } from 'node:http';
import type { Ledger } from '../ledger/ledger.ts';
import type { Plan } from '../load/plan.ts';
import { openSequence } from '../load/sequence.ts';
import type { Peer } from './peers.ts';

const ANSWER_WITHIN_MS = 60_000;

/** Sends the acknowledged payloads in the same order over as many connections. Throws if the peer refuses them. */
export async function sendLedger(peer: Peer, plan: Plan, ledger: Ledger, url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: plan.connections });
  const payloadsPerRequest = peer.payloadsPerRequest ?? plan.payloadsPerRequest;

  async function sendConnection(connection: number): Promise<void> {
    const sequence = openSequence(plan, connection);
    const encoder = peer.encoder(plan);
    const total = ledger.acknowledged[connection] ?? 0;
    for (let position = 0; position < total; ) {
      const count = Math.min(payloadsPerRequest, total - position);
      for (let index = 0; index < count; index += 1) encoder.add(sequence.next());
      await post(agent, peer, `${url}${peer.path}`, encoder.take());
      position += count;
    }
  }

  try {
    await Promise.all(
      Array.from({ length: plan.connections }, (_, connection) => sendConnection(connection)),
    );
  } finally {
    agent.destroy();
  }
}

function post(agent: Agent, peer: Peer, url: string, body: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      url,
      {
        agent,
        method: 'POST',
        headers: { ...peer.headers, 'content-length': Buffer.byteLength(body) },
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => {
          text += chunk;
        });
        answer.once('end', () => {
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve();
          else reject(new Error(`${peer.name}: ${status} ${text.slice(0, 200)}`));
        });
        answer.once('error', reject);
      },
    );
    asked.once('error', reject);
    asked.end(body);
  });
}
