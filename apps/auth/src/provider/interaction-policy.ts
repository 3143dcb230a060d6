import { interactionPolicy } from "oidc-provider";
import type { BrowserSessions } from "../browser/browser-session.ts";

const { base, Check } = interactionPolicy;

/**
 * The library's policy, and one check more: the library remembers who signed in, but the browser's session of ours decides, so that
 * signing out, here or from another device, holds for every application's next request.
 */
export function createInteractionPolicy(sessions: Pick<BrowserSessions, "find">): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.get("login")?.checks.add(
    new Check("session_over", "End-User authentication is required", "login_required", async ({ req, oidc }) => {
      const session = await sessions.find(req);
      return session === null || session.userId !== oidc.session?.accountId;
    }),
  );
  return policy;
}
