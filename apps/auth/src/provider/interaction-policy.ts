import { consoleApplication, isLoopbackUri } from "@gateway/platform/accounts";
import { interactionPolicy } from "oidc-provider";
import type { BrowserSessions } from "../browser/browser-session.ts";
import { isWithSecondFactor } from "./second-factor-rule.ts";
import type { Unit } from "./unit-of-work.ts";

const { base, Check } = interactionPolicy;

/**
 * The library's policy with three more checks:
 *
 * - A consent does not count again at a loopback address, which may be any program (RFC 8252, 8.6). The console is
 *   exempt, because it has a secret.
 * - Our session decides who is signed in, so signing out takes effect at once.
 * - An account may require a second factor of its owners.
 */
export function createInteractionPolicy(
  sessions: Pick<BrowserSessions, "find">,
  current: () => Pick<Unit, "services">,
): interactionPolicy.DefaultPolicy {
  const policy = base();
  policy.get("login")?.checks.add(
    new Check("session_over", "End-User authentication is required", "login_required", async ({ req, oidc }) => {
      const session = await sessions.find(req);
      return session === null || session.userId !== oidc.session?.accountId;
    }),
  );
  policy.get("consent")?.checks.add(
    new Check("loopback_redirect", "the user must consent each time", "consent_required", async ({ oidc }) => {
      const redirectUri = oidc.params?.["redirect_uri"];
      const isConsole = oidc.client?.clientId === consoleApplication.id;
      const isLoopback = typeof redirectUri === "string" && isLoopbackUri(redirectUri);
      return isLoopback && !isConsole && oidc.result?.consent === undefined;
    }),
  );
  policy.get("consent")?.checks.add(
    new Check("second_factor", "a second factor is required", "interaction_required", async ({ req, oidc }) => {
      const { services } = current();
      const grant = oidc.grant && (await services.accounts.grants.findHolder(oidc.grant.jti));
      if (!grant) {
        return false;
      }
      const memberships = await services.accounts.people.listOfUser(grant.userId);
      const isNeeded = memberships.some((each) => each.accountId === grant.accountId && each.needsSecondFactor);
      const session = isNeeded ? await sessions.find(req) : null;
      return session !== null && !(await isWithSecondFactor(services, session));
    }),
  );
  return policy;
}
