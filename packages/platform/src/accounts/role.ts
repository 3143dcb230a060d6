import type { Schemas } from "@gateway/contract";
import { permissions, type Permission } from "./permission.ts";

/** What a person is in an account, least to most. */
export const roles = ["viewer", "member", "owner"] as const satisfies readonly Role[];

export type Role = Schemas["Role"];

const permissionOfRole: Readonly<Record<Role, Permission>> = { viewer: "read", member: "write", owner: "admin" };

/** Scopes of OpenID Connect Core 1.0, 5.4: who the user is. */
export const openidScopes = ["openid", "email", "profile"] as const;
/** All that an application may be registered for: who the user is, and a permission at the gateway. */
export const scopes = [...openidScopes, ...permissions] as const satisfies readonly Scope[];

export type Scope = Schemas["Scope"];

/**
 * What an access token may do: the person's role, capped by the greatest permission among the token's scopes, or by `write` when
 * none is asked for, and never more than the application is registered for. Null: the token says who the user is, and no more.
 */
export function permissionOfToken(token: {
  role: Role;
  tokenScopes: readonly string[];
  applicationScopes: readonly string[];
}): Permission | null {
  const asked = greatest(token.tokenScopes) ?? "write";
  const registered = greatest(token.applicationScopes);
  return registered && least([permissionOfRole[token.role], asked, registered]);
}

function greatest(names: readonly string[]): Permission | null {
  return permissions.findLast((permission) => names.includes(permission)) ?? null;
}

function least(held: readonly Permission[]): Permission {
  return permissions.find((permission) => held.includes(permission)) ?? "read";
}
