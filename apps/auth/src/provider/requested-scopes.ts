import { openidScopes, scopes, type GrantHolder } from "@gateway/platform/accounts";
import { errors } from "oidc-provider";

const ofOpenid: readonly string[] = openidScopes;
const known: readonly string[] = scopes;

/** The scopes for data about the user. */
export function openidScopesOf(names: readonly string[]): string[] {
  return names.filter((name) => ofOpenid.includes(name));
}

/** The known scopes of a `scope` parameter. Others are ignored (OpenID Connect Core 1.0, 3.1.2.1). */
export function knownScopesOf(parameter: unknown): string[] {
  const asked = typeof parameter === "string" ? parameter.split(" ") : [];
  return known.filter((name) => asked.includes(name));
}

/** Refuses a request without a known scope, or with a scope that the application is not registered for. */
export function refuseUnregisteredScopes(parameter: unknown, registered: readonly string[]): void {
  const asked = knownScopesOf(parameter);
  const unregistered = asked.filter((name) => !registered.includes(name));
  if (unregistered.length > 0) {
    throw new errors.InvalidScope("the application is not registered for the requested scope", unregistered.join(" "));
  }
  if (asked.length === 0) {
    throw new errors.InvalidScope(`scope must name at least one of ${known.join(", ")}`, "");
  }
}

/**
 * Whether a token may disclose this data of its user. It must be issued for the scope, and the application still
 * registered for it.
 */
export function isLet(
  scope: string,
  token: { scope: string; holder: Pick<GrantHolder, "applicationScopes"> },
): boolean {
  return token.scope.split(" ").includes(scope) && token.holder.applicationScopes.includes(scope);
}
