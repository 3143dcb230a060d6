import { queryOptions } from "@tanstack/react-query";
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
});

const channel = new BroadcastChannel("console");

/** Ends the session everywhere; other tabs of this browser hear of it. */
export async function signOut(): Promise<void> {
  const response = await fetch("/sign-out", { method: "POST", headers: { "X-Console": "1" } });
  if (!response.ok && response.status !== 401) {
    throw new Error(`Signing out was answered with ${response.status}. You are still signed in.`);
  }
  channel.postMessage("signed-out");
  sessionStorage.clear();
  location.assign("/");
}

/** Leaves when another tab signed out: nothing of the account stays on the screen. */
export function followSignOut(): void {
  channel.addEventListener("message", ({ data }) => {
    if (data === "signed-out") {
      sessionStorage.clear();
      location.assign("/");
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
