/**
 * Requests the session while the program is still loading, which saves a round trip. `data/session.ts` uses the
 * response.
 */
(globalThis as { askedSession?: Promise<Response | null> }).askedSession = fetch("/session", {
  headers: { "X-Console": "1" },
}).catch(() => null);

export {};
