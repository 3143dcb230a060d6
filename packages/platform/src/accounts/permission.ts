/** Least to most: each permission contains those before it. */
export const permissions = ["read", "write", "admin"] as const;

export type Permission = (typeof permissions)[number];

export function includesPermission(held: Permission, needed: Permission): boolean {
  return permissions.indexOf(held) >= permissions.indexOf(needed);
}
