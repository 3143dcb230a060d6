import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { SessionInfo } from "../../src/session/session-info.ts";

export type { SessionInfo };

/** Null: nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<SessionInfo | null> => {
    const response = await fetch("/session", { headers: { "X-Console": "1" }, signal });
    if (response.status === 401) {
      return null;
    }
    if (!response.ok) {
      throw new Error(
        `The console's server answered ${response.status}. It may be starting, or the identity provider is away.`,
      );
    }
    return (await response.json()) as SessionInfo;
  },
  staleTime: 60_000,
  refetchInterval: 60_000,
  // What they may do may have changed while nobody looked.
  refetchOnWindowFocus: "always",
});

/** Nobody is signed in any more: nothing of the account stays on the page. */
export function endSession(queries: QueryClient): void {
  queries.setQueryData(sessionQuery.queryKey, null);
  queries.removeQueries({ queryKey: ["api"] });
}

const channel = new BroadcastChannel("console");

/** Ends the session everywhere; other tabs of this browser hear of it. */
export async function signOut(): Promise<void> {
  const response = await fetch("/sign-out", { method: "POST", headers: { "X-Console": "1" } });
  if (!response.ok && response.status !== 401) {
    throw new Error(`Signing out was answered with ${response.status}. You are still signed in.`);
  }
  channel.postMessage(signedOut);
  dispatchEvent(new Event(signedOut));
}

const signedOut = "signed-out";

/** Leaves when this tab or another one signed out: nothing of the account stays on the screen, nor, once the page is loaded anew, in memory. */
export function followSignOut(queries: QueryClient): void {
  const leave = (): void => {
    endSession(queries);
    location.assign("/");
  };
  addEventListener(signedOut, leave);
  channel.addEventListener("message", ({ data }) => {
    if (data === signedOut) {
      leave();
    }
  });
}

/** Where signing in begins, and comes back to where the person is now. */
export function signInUrl(options: { maxAgeSeconds?: number; chooseAccount?: boolean } = {}): string {
  const parameters = new URLSearchParams({ return_to: `${location.pathname}${location.search}` });
  if (options.maxAgeSeconds !== undefined) {
    parameters.set("max_age", String(options.maxAgeSeconds));
  }
  if (options.chooseAccount) {
    parameters.set("account", "choose");
  }
  return `/sign-in?${parameters}`;
}
