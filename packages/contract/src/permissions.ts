import type { Schemas } from "./schemas.ts";

/**
 * What somebody may do, and what a person is in an account: once, for those who enforce it and for the page that shows
 * it. An export of its own without the document, which a page must not load.
 */
export type Permission = Schemas["Permission"];

/** Least to most: each permission contains those before it. */
export const permissions = ["read", "write", "admin"] as const satisfies readonly Permission[];

export function includesPermission(held: Permission, needed: Permission): boolean {
  return permissions.indexOf(held) >= permissions.indexOf(needed);
}

export type Role = Schemas["Role"];

/** What a person is in an account, least to most. */
export const roles = ["viewer", "member", "owner"] as const satisfies readonly Role[];

/** What a person may do by their role alone. */
export const permissionOfRole: Readonly<Record<Role, Permission>> = { viewer: "read", member: "write", owner: "admin" };

/** The least role that may do what takes this permission. */
export function roleFor(needed: Permission): Role {
  // The last role holds every permission.
  return roles.find((role) => includesPermission(permissionOfRole[role], needed)) ?? "owner";
}
