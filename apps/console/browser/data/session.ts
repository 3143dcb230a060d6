import { queryOptions, type QueryClient } from "@tanstack/react-query";
import type { SessionInfo } from "../../src/session/session-info.ts";

export type { SessionInfo };

/** The session, or null when no user is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async ({ signal }): Promise<SessionInfo | null> => {
    const response = (await takeAsked()) ?? (await fetch("/session", { headers: { "X-Console": "1" }, signal }));
    if (response.status === 401) {
      return null;
    }
    if (!response.ok) {
      throw new Error(
        `The console's server answered ${response.status}. It may be starting, or the identity provider is unavailable.`,
      );
    }
    // The cast holds because the console's own server responds (src/session/tell-session.ts).
    return (await response.json()) as SessionInfo;
  },
  staleTime: 60_000,
  refetchInterval: 60_000,
  // The person's permission may have changed while the window had no focus.
  refetchOnWindowFocus: "always",
});

/** The response to `ask-session.ts`. It is used only once, because it would be outdated later. */
async function takeAsked(): Promise<Response | null> {
  // `ask-session.ts` sets it. It is undefined when that script did not run.
  const early = globalThis as { askedSession?: Promise<Response | null> | undefined };
  const asked = early.askedSession;
  early.askedSession = undefined;
  return (await asked) ?? null;
}

/** Ends the session on this page, and removes all data of the account from it. */
export function endSession(queries: QueryClient): void {
  queries.setQueryData(sessionQuery.queryKey, null);
  queries.removeQueries({ queryKey: ["api"] });
}

const channel = new BroadcastChannel("console");

/** Ends the session everywhere, and notifies the other tabs of this browser. */
export async function signOut(): Promise<void> {
  const response = await fetch("/sign-out", { method: "POST", headers: { "X-Console": "1" } });
  if (!response.ok && response.status !== 401) {
    throw new Error(`Signing out failed with status ${response.status}. You are still signed in.`);
  }
  channel.postMessage(signedOut);
  // The request may take seconds, so the page does not wait for it.
  void fetch("/clear-site-data", { method: "POST", headers: { "X-Console": "1" }, keepalive: true }).catch(() => {});
  dispatchEvent(new Event(signedOut));
}

const signedOut = "signed-out";

/** Leaves when this tab or another one signed out, so that no data of the account stays on the screen or in memory. */
export function followSignOut(queries: QueryClient): void {
  const leave = (): void => {
    endSession(queries);
    sessionStorage.clear();
    location.assign("/");
  };
  addEventListener(signedOut, leave);
  channel.addEventListener("message", ({ data }) => {
    if (data === signedOut) {
      leave();
    }
  });
}

/**
 * Reports this page's person to the other tabs, and leaves when one of them belongs to another person. All tabs share
 * one session, so actions here would happen in the other account. Returns the function that stops it.
 */
export function holdPlace(personId: string): () => void {
  const onMessage = ({ data }: MessageEvent<unknown>): void => {
    if (typeof data === "object" && data !== null && "place" in data && data.place !== personId) {
      location.assign("/");
    }
  };
  channel.addEventListener("message", onMessage);
  channel.postMessage({ place: personId });
  return () => channel.removeEventListener("message", onMessage);
}

/** The address at which signing in begins. It returns to the person's current place. */
export function signInUrl(options: { maxAgeSeconds?: number; email?: string; chooseAccount?: boolean } = {}): string {
  // The search names objects of the account that is left. They do not exist in the next one.
  const search = options.chooseAccount ? "" : location.search;
  const parameters = new URLSearchParams({ return_to: `${location.pathname}${search}` });
  if (options.maxAgeSeconds !== undefined) {
    parameters.set("max_age", String(options.maxAgeSeconds));
  }
  if (options.email !== undefined) {
    parameters.set("login_hint", options.email);
  }
  if (options.chooseAccount) {
    parameters.set("account", "choose");
  }
  return `/sign-in?${parameters}`;
}
