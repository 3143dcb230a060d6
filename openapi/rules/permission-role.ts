import { operationRule } from "./rule.ts";

const roles = ["read", "write", "admin"];

/**
 * Every operation needs exactly one permission, the same for an API key, an access token and an application's token. It
 * names it in x-permission and has the matching security requirement. An operation without the requirement would be
 * open to every caller.
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
