import type { Schemas } from "@gateway/contract";
import { permissionOfRole, permissions, type Permission, type Role } from "@gateway/contract/permissions";

/** Scopes of OpenID Connect Core 1.0, 5.4: who the user is. */
export const openidScopes = ["openid", "email", "profile"] as const;
/** Scopes that an application may be registered for: the user's identity, and a permission at the gateway. */
export const scopes = [...openidScopes, ...permissions] as const satisfies readonly Scope[];

export type Scope = Schemas["Scope"];

/** The greatest permission among the requested scopes, `read` when there is none. Null: the application has none. */
export function permissionOfConsent(asked: {
  scopes: readonly string[];
  applicationScopes: readonly string[];
}): Permission | null {
  return greatest(asked.applicationScopes) && permissionOfScopes(asked.scopes);
}

/** The least of role, grant, token's and application's scopes. Null: the token identifies the user, and no more. */
export function permissionOfToken(token: {
  role: Role;
  grantPermission: Permission | null;
  tokenScopes: readonly string[];
  applicationScopes: readonly string[];
}): Permission | null {
  const { role, grantPermission, tokenScopes } = token;
  const registered = greatest(token.applicationScopes);
  return (
    registered &&
    grantPermission &&
    least([permissionOfRole[role], grantPermission, permissionOfScopes(tokenScopes), registered])
  );
}

function permissionOfScopes(names: readonly string[]): Permission {
  return greatest(names) ?? "read";
}

function greatest(names: readonly string[]): Permission | null {
  return permissions.findLast((permission) => names.includes(permission)) ?? null;
}

function least(held: readonly Permission[]): Permission {
  return permissions.find((permission) => held.includes(permission)) ?? "read";
}
