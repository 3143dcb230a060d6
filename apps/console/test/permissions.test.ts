import { operations, type OperationId } from "@gateway/contract";
import { permissionOfRole, permissions, roleFor, roles } from "@gateway/contract/permissions";
import { describe, expect, test, vi } from "vitest";
import { listOpened, whyNot } from "../browser/data/permissions.ts";

// The page has this table cut out of the contract when it is built.
vi.mock("../browser/data/calls.ts", () => import("@gateway/contract"));

const all = Object.keys(operations) as OperationId[];

describe.each(roles)("a control, for a person of the role %s", (role) => {
  const session = { role, permission: permissionOfRole[role] };

  test.each(permissions)("of an operation that asks for %s: free, or with the role that it takes", (permission) => {
    const ofPermission = all.filter((operationId) => operations[operationId].permission === permission);
    const isFree = permissions.indexOf(permission) <= permissions.indexOf(session.permission);
    const reason = isFree ? null : `Needs the role ${roleFor(permission)}. You are ${role}.`;
    expect(ofPermission.length).toBeGreaterThan(5);
    expect(new Set(ofPermission.map((operationId) => whyNot(session, operationId)))).toEqual(new Set([reason]));
  });
});

test("what a key of a permission opens has no operation beyond it, and none that only a person may do", () => {
  for (const [rank, permission] of permissions.entries()) {
    const opened = listOpened(permission).map(({ operationId }) => operationId);
    const expected = all.filter((operationId) => {
      const { permission: asked, personRequired } = operations[operationId];
      return !personRequired && permissions.indexOf(asked) <= rank;
    });
    expect(opened).toEqual(expected);
  }
});
