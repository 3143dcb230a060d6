import type { Schemas } from "./schemas.ts";

/**
 * Permissions and roles, shared by the programs that enforce them and the page that shows them. A separate export
 * without the document, which a page must not load.
 */
export type Permission = Schemas["Permission"];

/** Least to most: each permission includes those before it. */
export const permissions = ["read", "write", "admin"] as const satisfies readonly Permission[];

export function includesPermission(held: Permission, needed: Permission): boolean {
  return permissions.indexOf(held) >= permissions.indexOf(needed);
}

export type Role = Schemas["Role"];

/** Roles of a person in an account, least to most. */
export const roles = ["viewer", "member", "owner"] as const satisfies readonly Role[];

/** The permission that a role alone gives. */
export const permissionOfRole: Readonly<Record<Role, Permission>> = { viewer: "read", member: "write", owner: "admin" };

/** The least role that includes this permission. */
export function roleFor(needed: Permission): Role {
  // The last role holds every permission.
  return roles.find((role) => includesPermission(permissionOfRole[role], needed)) ?? "owner";
}
