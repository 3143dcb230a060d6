import { describe, expect, test } from "vitest";
import { operations, type OperationPolicy } from "../src/index.ts";
import { includesPermission, permissionOfRole, permissions, roleFor, roles } from "../src/permissions.ts";

/** Written a second time, in another form: the rows are roles, the columns needed permissions. */
const mayDo = {
  viewer: { read: true, write: false, admin: false },
  member: { read: true, write: true, admin: false },
  owner: { read: true, write: true, admin: true },
} as const;

describe.each(roles)("a %s", (role) => {
  test.each(permissions)("may do what takes %s, or not", (permission) => {
    expect(includesPermission(permissionOfRole[role], permission)).toBe(mayDo[role][permission]);
  });
});

test("the role that a refusal names is the least that may, for every operation of the document", () => {
  for (const { operationId, permission } of Object.values<OperationPolicy>(operations)) {
    const may = roles.filter((role) => mayDo[role][permission]);
    expect([operationId, roleFor(permission)]).toEqual([operationId, may[0]]);
  }
});
