import { setTimeout as sleep } from 'node:timers/promises';
import { servesRequests } from './served-requests.ts';
import { MAX_TURN_MS, Turn } from './turn.ts';

/** While clients are served, work and pauses are no shorter than this, ms. */
const MIN_TURN_MS = 2;

/**
 * As `Turn`, for work that no client waits for. While this process serves requests the work pauses for as long as it has worked, and then
 * works for as long as the pause took, at least 2 ms: a request waits for little of it, and on a busy event loop it keeps its share.
 */
export class BackgroundTurn extends Turn {
  override async yieldWhenDue(): Promise<void> {
    if (!this.isOver) return;
    if (!servesRequests()) {
      await super.yieldWhenDue();
      this.maxMs = servesRequests() ? MIN_TURN_MS : MAX_TURN_MS;
      return;
    }
    const began = performance.now();
    await sleep(Math.max(MIN_TURN_MS, Math.min(this.workedMs, MAX_TURN_MS)));
    this.maxMs = Math.max(MIN_TURN_MS, Math.min(performance.now() - began, MAX_TURN_MS));
    this.begin();
  }
}
