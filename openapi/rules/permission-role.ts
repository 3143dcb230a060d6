import { operationRule } from "./rule.ts";

const roles = ["read", "write", "admin"];

/**
 * Every operation asks for one permission by x-permission, and has the security that follows from it: without it the
 * operation would be open to everybody.
 */
export const permissionRole = operationRule((operation, context) => {
  const role = operation.security?.[0]?.["apiKey"]?.[0];
  const expected = JSON.stringify([{ apiKey: [role] }, { accessToken: [role] }, { oauth2: [role] }]);
  if (role === undefined || !roles.includes(role) || JSON.stringify(operation.security) !== expected) {
    context.report({
      message: `The operation must say x-permission, with one of ${roles.join(", ")}.`,
      location: context.location.child(["security"]).key(),
    });
  }
});
