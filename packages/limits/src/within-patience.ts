/** A store that takes longer is given up: the request goes on with this process's own count. */
export const storePatienceMs = 40;
/** What a store gets on top, because the fault may be ours. */
const graceMs = 20;

/**
 * Rejects when the store does not answer in time. In steps, for a busy process is no slow store: after a stall Node
 * runs its due timers before it reads its sockets, so a single timer would give up on an answer that is already there,
 * and 200 requests at once would be counted by this process alone.
 */
export function withinPatience<Answer>(answer: Promise<Answer>, patienceMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void =>
      reject(new Error(`The rate limit store did not answer within ${patienceMs + graceMs} ms.`));
    let timer = setTimeout(() => {
      timer = setTimeout(() => setImmediate(giveUp), graceMs);
    }, patienceMs);
    void answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
