/** A slower store is given up, and the request continues with this process's own count. */
export const storePatienceMs = 40;
/** Additional time for the store, because the delay may be ours. */
const graceMs = 20;

/**
 * Rejects when the store does not respond in time. It waits in steps, because a busy process does not mean a slow
 * store. After a stall, Node runs its due timers before it reads its sockets. A single timer would give up on a
 * response that has already arrived, and this process alone would count 200 requests at once.
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
