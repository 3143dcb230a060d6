import { isLoopbackUri } from "@gateway/platform";
import { interactionPolicy } from "oidc-provider";
import type { BrowserSessions } from "../browser/browser-session.ts";

const { base, Check } = interactionPolicy;

/**
 * The library's policy, and two checks more. Who comes back to a loopback address may be any program on the device, so a consent of before
 * speaks for none of them (RFC 8252, 8.6). And the library remembers who signed in, but the browser's session of ours decides, so that
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
  policy.get("consent")?.checks.add(
    new Check("loopback_redirect", "the user is asked each time", "consent_required", async ({ oidc }) => {
      const redirectUri = oidc.params?.["redirect_uri"];
      return typeof redirectUri === "string" && isLoopbackUri(redirectUri) && oidc.result?.consent === undefined;
    }),
  );
  return policy;
}
