/** Asks who is signed in while the program is on its way: it saves a round trip. `data/session.ts` takes the answer. */
(globalThis as { askedSession?: Promise<Response | null> }).askedSession = fetch("/session", {
  headers: { "X-Console": "1" },
}).catch(() => null);

export {};
