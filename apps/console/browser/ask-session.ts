/**
 * A script of its own, before the page's program: who is signed in is asked while that is still on its way, which on
 * a slow line saves the first screen a round trip. `data/session.ts` takes the answer; without one it asks itself.
 */
(globalThis as { askedSession?: Promise<Response | null> }).askedSession = fetch("/session", {
  headers: { "X-Console": "1" },
}).catch(() => null);

export {};
