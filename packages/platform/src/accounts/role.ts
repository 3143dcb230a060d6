import type { Schemas } from "@gateway/contract";
import { permissionOfRole, permissions, type Permission, type Role } from "@gateway/contract/permissions";

/** Scopes of OpenID Connect Core 1.0, 5.4: who the user is. */
export const openidScopes = ["openid", "email", "profile"] as const;
/** All that an application may be registered for: who the user is, and a permission at the gateway. */
export const scopes = [...openidScopes, ...permissions] as const satisfies readonly Scope[];

export type Scope = Schemas["Scope"];

/** The greatest permission among the scopes asked for, `read` when there is none. Null: the application has none. */
export function permissionOfConsent(asked: {
  scopes: readonly string[];
  applicationScopes: readonly string[];
}): Permission | null {
  return greatest(asked.applicationScopes) && permissionOfScopes(asked.scopes);
}

/**
 * The least of the person's role, the grant, the token's scopes and what the application is registered for now. Null:
 * the token says who the user is, and no more.
 */
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
