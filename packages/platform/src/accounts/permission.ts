import type { Schemas } from "@gateway/contract";

export type Permission = Schemas["Permission"];

/** Least to most: each permission contains those before it. */
export const permissions = ["read", "write", "admin"] as const satisfies readonly Permission[];

export function includesPermission(held: Permission, needed: Permission): boolean {
  return permissions.indexOf(held) >= permissions.indexOf(needed);
}
